variable "domain" {
  type    = string
  default = "example.org"
}

resource "zoosdk_email" "owner" {
  email   = "owner@${var.domain}"
  comment = "gets the bills"
}
