provider "zoofw" {
  root = "/tmp/zoofw"
}
