package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"tfconform.example/providers/filestore"
)

var factories = map[string]func() (*schema.Provider, error){
	name: func() (*schema.Provider, error) { return newProvider(), nil },
}

// acceptance skips a test that needs terraform if there is none, and otherwise
// gives it its own folder.
func acceptance(t testing.TB) {
	if os.Getenv("TF_ACC") != "1" {
		t.Skip("acceptance tests run only with TF_ACC=1")
	}
	if os.Getenv("TF_ACC_TERRAFORM_PATH") == "" {
		if _, err := exec.LookPath("terraform"); err != nil {
			t.Skip("terraform is not on the PATH")
		}
	}
	if os.Getenv("SDKFIX_ROOT") == "" {
		if err := os.Setenv("SDKFIX_ROOT", t.TempDir()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Unsetenv("SDKFIX_ROOT") })
	}
}

// TestProvider runs the SDK's own checks of the schemas.
func TestProvider(t *testing.T) {
	if err := newProvider().InternalValidate(); err != nil {
		t.Fatal(err)
	}
}

// everything is a full configuration of each type, and another one that
// updates it in place.
var everything = map[string][2]string{
	"note":        {noteFull, noteOther},
	"numbers":     {numbersFull, numbersOther},
	"collections": {collectionsFull, collectionsOther},
	"server":      {serverFull, serverOther},
	"document":    {documentFull, documentOther},
	"secret":      {secretFull, secretOther},
	"job":         {jobFull, jobOther},
	"shelf":       {shelfFull, shelfOther},
}

// TestAccEveryType relies on the test framework to find non-empty plans,
// before and after a refresh.
func TestAccEveryType(t *testing.T) {
	acceptance(t)
	for kind, bodies := range everything {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			address := "sdkfix_" + kind + ".it"
			config := func(body string) string {
				return fmt.Sprintf("resource \"sdkfix_%s\" \"it\" {\n%s\n}\n", kind, body)
			}
			update := []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}
			resource.Test(t, resource.TestCase{
				ProviderFactories: factories,
				Steps: []resource.TestStep{
					{Config: config(minimal[kind])},
					{Config: config(bodies[0])},
					{
						ResourceName:            address,
						ImportState:             true,
						ImportStateVerify:       true,
						ImportStateVerifyIgnore: []string{"timeouts"},
					},
					{Config: config(bodies[1]), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: update}},
					{Config: config(minimal[kind])},
				},
			})
		})
	}
}

// TestAccDrift changes objects behind the provider's back.
func TestAccDrift(t *testing.T) {
	acceptance(t)
	for kind, bodies := range everything {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			config := fmt.Sprintf("resource \"sdkfix_%s\" \"it\" {\n%s\n}\n", kind, bodies[0])
			var id string
			outside := func(change string) func() {
				return func() {
					t.Logf("%s: %s", change, remoteChange(t, "sdkfix_"+kind, change, id))
				}
			}
			drift := drifts()["sdkfix_"+kind]
			steps := []resource.TestStep{
				{
					Config: config,
					Check: func(state *terraform.State) error {
						id = state.RootModule().Resources["sdkfix_"+kind+".it"].Primary.ID
						return nil
					},
				},
				{PreConfig: outside("change"), RefreshState: true, ExpectNonEmptyPlan: true},
				{Config: config},
			}
			if len(drift.Grow) > 0 {
				steps = append(steps,
					resource.TestStep{PreConfig: outside("add-element"), RefreshState: true, ExpectNonEmptyPlan: true},
					resource.TestStep{Config: config})
			}
			if len(drift.Respell) > 0 {
				steps = append(steps, resource.TestStep{PreConfig: outside("respell"), RefreshState: true})
			}
			steps = append(steps,
				resource.TestStep{PreConfig: outside("vanish"), RefreshState: true, ExpectNonEmptyPlan: true},
				resource.TestStep{Config: config})
			resource.Test(t, resource.TestCase{ProviderFactories: factories, Steps: steps})
		})
	}
}

func remoteChange(t *testing.T, kind, change, id string) string {
	request, err := json.Marshal(map[string]any{"type": kind, "kind": change, "state": map[string]any{"id": id}})
	if err != nil {
		t.Fatal(err)
	}
	var answer bytes.Buffer
	if err := filestore.RemoteChange(name, drifts(), bytes.NewReader(request), &answer); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answer.String(), `"done"`) {
		t.Errorf("%s of %s: %s", change, kind, answer.String())
	}
	return strings.TrimSpace(answer.String())
}

func TestAccDataSources(t *testing.T) {
	acceptance(t)
	resource.Test(t, resource.TestCase{
		ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: `
				resource "sdkfix_note" "it" { title = "found" }
				data "sdkfix_lookup" "here" {
				  type   = "sdkfix_note"
				  object = sdkfix_note.it.id
				}
				data "sdkfix_lookup" "nowhere" {
				  type   = "../.."
				  object = "ß"
				}
				data "sdkfix_render" "it" {
				  upper  = true
				  labels = { x = "" }
				  part { text = "a" }
				  part { text = "é" }
				}`,
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckResourceAttr("data.sdkfix_lookup.here", "found", "true"),
				resource.TestCheckResourceAttr("data.sdkfix_lookup.nowhere", "found", "false"),
				resource.TestCheckResourceAttr("data.sdkfix_render.it", "result", "A É"),
			),
		}},
	})
}
