package statepage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/canary/statepage"
	"github.com/zmylab/zmy/codec/shadow"
)

// lossy writes JSON with another name in it.
type lossy struct{ codec.StdJSON }

func (lossy) Name() string { return "<lossy>" }

func (c lossy) Marshal(v any) ([]byte, error) {
	b, err := c.StdJSON.Marshal(v)
	return []byte(strings.ReplaceAll(string(b), "before", "<script>after")), err
}

type doc struct{ Name string }

func setUp(t *testing.T, allow bool) (*canary.Canary, *httptest.Server) {
	t.Helper()
	c, err := canary.New(codec.StdJSON{}, lossy{}, canary.Options{Name: `a "canary" & more`})
	if err != nil {
		t.Fatal(err)
	}
	s := shadow.New(c.Codec(canary.Incumbent), lossy{}, shadow.Options{Share: 1, ShowValues: true})
	if _, err := s.Marshal(doc{"before"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Start("<b>release</b>"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(statepage.New(statepage.Options{
		Canaries: []*canary.Canary{c},
		Shadows:  []*shadow.Codec{s},
		Allow:    func(r *http.Request) bool { return allow && r.Header.Get("X-Who") == "me" },
	}))
	t.Cleanup(server.Close)
	return c, server
}

func get(t *testing.T, target string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Who", "me")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

func TestPage(t *testing.T) {
	for _, allow := range []bool{false, true} {
		_, server := setUp(t, allow)
		resp, body := get(t, server.URL)
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Fatalf("status %s, type %s", resp.Status, resp.Header.Get("Content-Type"))
		}
		for _, want := range []string{
			"Canary a &#34;canary&#34; &amp; more: json → &lt;lossy&gt;", "running", "at 1%", "&lt;b&gt;release&lt;/b&gt;",
			"differences found", "<code>doc.Name</code>", "&lt;script&gt;after", `aria-label="1% of requests`,
		} {
			if !strings.Contains(body, want) {
				t.Errorf("the page lacks %s", want)
			}
		}
		if strings.Contains(body, "<script") || strings.Contains(body, "ZgotmplZ") {
			t.Error("the page has a script, or something that the template refused")
		}
		if got := strings.Contains(body, "<form"); got != allow {
			t.Errorf("allowed %v, form %v", allow, got)
		}
		css := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(body)
		sum := sha256.Sum256([]byte(css[1]))
		if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, base64.StdEncoding.EncodeToString(sum[:])) ||
			!strings.Contains(policy, "default-src 'none'") {
			t.Errorf("policy %s does not allow the page's own style", policy)
		}
	}
}

func TestJSON(t *testing.T) {
	_, server := setUp(t, false)
	resp, body := get(t, server.URL+"?format=json")
	var got struct {
		Canaries []canary.State
		Shadows  []shadow.Report
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if resp.Header.Get("Content-Type") != "application/json" || len(got.Canaries) != 1 ||
		got.Canaries[0].Share != 0.01 || got.Shadows[0].Marshal.Different != 1 {
		t.Errorf("%s %+v", resp.Header.Get("Content-Type"), got)
	}
}

func TestPercentages(t *testing.T) {
	c, server := setUp(t, false)
	if err := c.SetShare(0.07, ""); err != nil { // 100 times which is 7.000000000000001
		t.Fatal(err)
	}
	if _, body := get(t, server.URL); !strings.Contains(body, "at 7% for") {
		t.Errorf("the page has other percentages than 7%%:\n%s", body)
	}
}

func TestEmpty(t *testing.T) {
	w := httptest.NewRecorder()
	statepage.New(statepage.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/state", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<h1>Codecs</h1>") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestSteer(t *testing.T) {
	const name = `a "canary" & more`
	tests := []struct {
		name   string
		allow  bool
		form   url.Values
		header http.Header
		status int
		phase  canary.Phase
		share  float64
	}{
		{"not allowed", false, url.Values{"canary": {name}, "action": {"rollback"}}, nil, 403, canary.Running, 0.01},
		{"from another site", true, url.Values{"canary": {name}, "action": {"rollback"}},
			http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403, canary.Running, 0.01},
		{"roll back", true, url.Values{"canary": {name}, "action": {"rollback"}, "reason": {"pager"}},
			http.Header{"Sec-Fetch-Site": {"same-origin"}}, 303, canary.RolledBack, 0},
		{"share", true, url.Values{"canary": {name}, "action": {"share"}, "share": {"12.5"}}, nil, 303, canary.Paused, 0.125},
		{"no share", true, url.Values{"canary": {name}, "action": {"share"}, "share": {"x"}}, nil, 400, canary.Running, 0.01},
		{"too much", true, url.Values{"canary": {name}, "action": {"share"}, "share": {"NaN"}}, nil, 409, canary.Running, 0.01},
		{"pause", true, url.Values{"canary": {name}, "action": {"pause"}}, nil, 303, canary.Paused, 0.01},
		{"resume what runs", true, url.Values{"canary": {name}, "action": {"resume"}}, nil, 409, canary.Running, 0.01},
		{"start what runs", true, url.Values{"canary": {name}, "action": {"start"}}, nil, 409, canary.Running, 0.01},
		{"advance", true, url.Values{"canary": {name}, "action": {"advance"}}, nil, 303, canary.Running, 0.1},
		{"promote", true, url.Values{"canary": {name}, "action": {"promote"}}, nil, 303, canary.Promoted, 1},
		{"no such action", true, url.Values{"canary": {name}, "action": {"explode"}}, nil, 400, canary.Running, 0.01},
		{"no such canary", true, url.Values{"canary": {"x"}, "action": {"rollback"}}, nil, 404, canary.Running, 0.01},
		{"too long", true, url.Values{"canary": {name}, "action": {"rollback"}, "reason": {strings.Repeat("x", 10_000)}},
			nil, 400, canary.Running, 0.01},
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, server := setUp(t, tt.allow)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/", strings.NewReader(tt.form.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			if tt.header != nil {
				req.Header = tt.header.Clone()
			}
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			req.Header.Set("X-Who", "me")
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if tt.status == 409 || tt.status == 400 && tt.name != "too long" { // the page again, which says why
				if err != nil || !strings.Contains(string(text), `<p role="alert"`) || !strings.Contains(string(text), "Set share") {
					t.Errorf("%s, %v", text, err)
				}
			}
			if s := c.State(); resp.StatusCode != tt.status || s.Phase != tt.phase || s.Share != tt.share {
				t.Errorf("status %d, %s at %v; want %d, %s at %v", resp.StatusCode, s.Phase, s.Share, tt.status, tt.phase, tt.share)
			}
		})
	}
}
