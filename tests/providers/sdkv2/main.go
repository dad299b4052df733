// Command terraform-provider-sdkfix is a conforming provider built on
// terraform-plugin-sdk/v2. Its objects are files.
package main

import "tfconform.example/providers/sdkv2/objects"

func main() { objects.Main(name, newProvider, drifts()) }
