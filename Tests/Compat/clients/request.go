// Sends one request by Go's net/http: METHOD URL TOKEN TYPE FILE; prints the status and the body.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	method, url, token, kind, file := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	pool := x509.NewCertPool()
	if pem, err := os.ReadFile(os.Getenv("CA")); err == nil {
		pool.AppendCertsFromPEM(pem)
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	var body io.Reader
	if file != "" {
		opened, err := os.Open(file)
		exit(err)
		body = opened
	}
	request, err := http.NewRequest(method, url, body)
	exit(err)
	if file != "" {
		info, err := os.Stat(file)
		exit(err)
		request.ContentLength = info.Size()
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	response, err := client.Do(request)
	exit(err)
	text, err := io.ReadAll(response.Body)
	exit(err)
	fmt.Printf("%d\n%s\n", response.StatusCode, text)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
