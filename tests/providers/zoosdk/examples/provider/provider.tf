provider "zoosdk" {
  root = "/tmp/zoosdk"
}
