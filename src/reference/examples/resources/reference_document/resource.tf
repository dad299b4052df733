resource "reference_document" "manual" {
  name = "manual"
  body = jsonencode({ pages = 7 })
}
