// Command lab-mock is the API of the lab, for tests: it keeps machines in memory.
//
//	lab-mock serve     serves the API
//	lab-mock reset     forgets all machines
//	lab-mock change    changes a machine as a request on standard input says, and answers on standard output
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

const address = "127.0.0.1:8731"

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: lab-mock serve | reset | change")
	}
	switch os.Args[1] {
	case "serve":
		fmt.Println("listening on", address)
		log.Fatal(http.ListenAndServe(address, newAPI()))
	case "reset":
		if _, err := call(http.MethodDelete, "/machines", nil); err != nil {
			log.Fatal(err)
		}
	case "change":
		if err := change(os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
	default:
		log.Fatalf("unknown command %s", os.Args[1])
	}
}
