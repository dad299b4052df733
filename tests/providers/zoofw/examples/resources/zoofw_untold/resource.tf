resource "zoofw_email" "holder" {
  email = "holder@example.org"
}

resource "zoofw_untold" "badge" {
  code   = "NK2041/north"
  holder = zoofw_email.holder.id
}
