resource "reference_document" "manual" {
  name = "manual"
  body = jsonencode({ pages = 7 })
}

resource "reference_everything" "web" {
  name  = "web"
  alias = reference_document.manual.id
}
