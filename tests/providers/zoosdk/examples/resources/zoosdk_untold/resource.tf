resource "zoosdk_email" "holder" {
  email = "holder@example.org"
}

resource "zoosdk_untold" "badge" {
  code   = "NK2041/north"
  grade  = 4900
  holder = zoosdk_email.holder.id
}
