resource "zoofw_email" "minder" {
  email = "minder@example.org"
}

resource "zoofw_untold_reference" "locker" {
  minder = zoofw_email.minder.id
}
