// Command terraform-provider-fwfix is a conforming provider built on
// terraform-plugin-framework. Its objects are files.
package main

func main() { fixture.Main() }
