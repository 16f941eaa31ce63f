package flow_test
import ("testing";"context";"os";"fmt";"strings";"github.com/deeprepo/deeprepo/internal/runtest";"github.com/deeprepo/deeprepo/internal/syntax")
func TestDump(t *testing.T){ b,_:=os.ReadFile(os.Getenv("DUMP")); tr,err:=runtest.Parser(t).Parse(context.Background(),os.Getenv("LANGX"),b); if err!=nil{t.Fatal(err)}
 var w func(n syntax.Node,d int); w=func(n syntax.Node,d int){ if !n.Named(){return}; tx:=strings.ReplaceAll(n.Text(),"\n","\\n"); if len(tx)>50{tx=tx[:50]}; fmt.Printf("%s%s[%s] %s\n",strings.Repeat("  ",d),n.Kind(),n.Field(),tx); for c:=range n.Children(){w(c,d+1)}}; w(tr.Root(),0)}
