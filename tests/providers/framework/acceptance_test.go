package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"tfconform.example/providers/filestore"
)

var factories = map[string]func() (tfprotov6.ProviderServer, error){
	name: providerserver.NewProtocol6WithError(newProvider()),
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
	if os.Getenv("FWFIX_ROOT") == "" {
		if err := os.Setenv("FWFIX_ROOT", t.TempDir()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Unsetenv("FWFIX_ROOT") })
	}
}

// TestAccLifecycle creates, updates and destroys one object, as often as
// TFCONFORM_BENCH_CASES says, in parallel: a benchmark for other test tools.
func TestAccLifecycle(t *testing.T) {
	acceptance(t)
	cases, err := strconv.Atoi(os.Getenv("TFCONFORM_BENCH_CASES"))
	if err != nil {
		cases = 1
	}
	start := time.Now()
	t.Run("cases", func(t *testing.T) {
		for i := range cases {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				resource.Test(t, resource.TestCase{
					ProtoV6ProviderFactories: factories,
					Steps: []resource.TestStep{
						{
							Config: `resource "fwfix_note" "it" { title = "first" }`,
							Check:  resource.TestCheckResourceAttr("fwfix_note.it", "revision", "1"),
						},
						{
							Config: `resource "fwfix_note" "it" { title = "second" }`,
							Check:  resource.TestCheckResourceAttr("fwfix_note.it", "revision", "2"),
						},
					},
				})
			})
		}
	})
	elapsed := time.Since(start)
	fmt.Printf("lifecycles=%d elapsed=%.3fs per_second=%.3f\n", cases, elapsed.Seconds(), float64(cases)/elapsed.Seconds())
}

// everything is a full configuration of each type, and another one that
// updates it in place.
var everything = map[string][2]string{
	"note":        {noteFull, noteOther},
	"numbers":     {numbersFull, numbersOther},
	"collections": {collectionsFull, collectionsOther},
	"policy":      {policyFull, policyOther},
	"server":      {serverFull, serverOther},
	"document":    {documentFull, documentOther},
	"secret":      {secretFull, secretOther},
	"anything":    {anythingFull, anythingOther},
}

// TestAccEveryType relies on the test framework to find non-empty plans,
// before and after a refresh.
func TestAccEveryType(t *testing.T) {
	acceptance(t)
	for kind, bodies := range everything {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			address := "fwfix_" + kind + ".it"
			config := func(body string) string {
				return fmt.Sprintf("resource \"fwfix_%s\" \"it\" {\n%s\n}\n", kind, body)
			}
			update := []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: factories,
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
			config := fmt.Sprintf("resource \"fwfix_%s\" \"it\" {\n%s\n}\n", kind, bodies[0])
			var id string
			outside := func(change string) func() {
				return func() {
					t.Logf("%s: %s", change, remoteChange(t, "fwfix_"+kind, change, id))
				}
			}
			drift := drifts()["fwfix_"+kind]
			steps := []resource.TestStep{
				{
					Config: config,
					Check: func(state *terraform.State) error {
						id = state.RootModule().Resources["fwfix_"+kind+".it"].Primary.ID
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
			resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
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
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: `
				resource "fwfix_note" "it" { title = "found" }
				data "fwfix_lookup" "here" {
				  type = "fwfix_note"
				  id   = fwfix_note.it.id
				}
				data "fwfix_lookup" "nowhere" {
				  type = "../.."
				  id   = "ß"
				}
				data "fwfix_render" "it" {
				  parts   = [{ text = "a", repeat = 2 }, { text = "é" }]
				  weights = { x = 0.1, y = null }
				  extra { key = "k" }
				}
				output "text" { value = nonsensitive(data.fwfix_lookup.here.text) }`,
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckResourceAttr("data.fwfix_lookup.here", "found", "true"),
				resource.TestCheckResourceAttr("data.fwfix_lookup.nowhere", "found", "false"),
				resource.TestCheckResourceAttr("data.fwfix_render.it", "result", "a a é"),
			),
		}},
	})
}
