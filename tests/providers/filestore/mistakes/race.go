package mistakes

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"tfconform.example/providers/filestore"
)

// NextTicket makes an id from the last one, which another create may be doing
// too.
func NextTicket(store filestore.Store) (string, error) {
	counter, err := store.Load("counter", "tickets")
	if err != nil {
		counter = filestore.Object{}
	}
	next := Whole(counter["last"]) + 1
	time.Sleep(20 * time.Millisecond) // The way to the remote system and back.
	counter["last"] = json.Number(strconv.FormatInt(next, 10))
	return fmt.Sprint("ticket-", next), store.Save("counter", "tickets", counter)
}
