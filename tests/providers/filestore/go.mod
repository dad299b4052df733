module tfconform.example/providers/filestore

go 1.26
