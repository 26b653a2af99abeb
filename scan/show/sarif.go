package show

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/zmylab/zmy/scan"
)

// The form is SARIF 2.1.0, an OASIS standard (2020-03-27). Only sites where something is to be done are
// findings: a tool shows them beside the code.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
	Properties  map[string]any    `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	} `json:"driver"`
}

type sarifRule struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	ShortDescription sarifText  `json:"shortDescription"`
	FullDescription  sarifText  `json:"fullDescription"`
	Default          sarifLevel `json:"defaultConfiguration"`
	HelpURI          string     `json:"helpUri"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool   `json:"executionSuccessful"`
	StartTimeUTC        string `json:"startTimeUtc,omitempty"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Rank                float64           `json:"rank"` // 0 to 100: the share of CPU that is saved, or at stake
}

type sarifLocation struct {
	ID               *int          `json:"id,omitempty"`
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
	Logical          []sarifName   `json:"logicalLocations,omitempty"`
	Message          *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId"`
	} `json:"artifactLocation"`
	Region struct {
		StartLine int `json:"startLine"`
	} `json:"region"`
}

type sarifName struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

const helpURI = "https://github.com/zmylab/zmy/blob/main/docs/guide/scan.md"

// rules are the kinds of findings, in the order of their indices.
var sarifRules = []struct {
	action, id, name, short, full, level string
}{
	{scan.Adopt, "ZMY001", "CodecSavesCPU", "Another codec saves CPU here",
		"The site has a share of the program's CPU time, and a codec with the same bytes is proven faster on its type.", "warning"},
	{scan.Measure, "ZMY002", "CodecNotMeasured", "Another codec may save CPU here",
		"The site has a share of the program's CPU time, but no codec was measured on its type.", "note"},
}

// SARIF writes the sites where something is to be done as a SARIF 2.1.0 log.
func SARIF(w io.Writer, r *scan.Result) error {
	one := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		Invocations: []sarifInvocation{{true, r.Started.Format("2006-01-02T15:04:05Z")}}, Properties: map[string]any{"verdict": r.Verdict}}
	d := &one.Tool.Driver
	d.Name, d.InformationURI = "zmy scan", "https://github.com/zmylab/zmy"
	d.Version = strings.TrimPrefix(r.Tool, "zmy ")
	same := map[string]int{}
	for i, rule := range sarifRules {
		d.Rules = append(d.Rules, sarifRule{rule.id, rule.name, sarifText{rule.short}, sarifText{rule.full}, sarifLevel{rule.level}, helpURI})
		for _, x := range r.Sites {
			if x.Action == rule.action {
				found := sarifOf(x, i)
				id := found.PartialFingerprints[fingerprint]
				if n := same[id]; n > 0 { // the same call again in one function
					found.PartialFingerprints[fingerprint] = fmt.Sprintf("%s:%d", id, n)
				}
				same[id]++
				one.Results = append(one.Results, found)
			}
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{one}})
}

// fingerprint is the key of a site's fingerprint. Tools take findings with the same one for one finding.
const fingerprint = "zmyScanSite/v1"

func sarifOf(x *scan.Site, rule int) sarifResult {
	text := fmt.Sprintf("%s takes %s of the program's CPU time. %s", clean(x.Call), cost(x), clean(advice(x)))
	rank := 0.0
	switch {
	case x.Saving != nil:
		rank = 100 * x.Saving.Share.Point
	case x.CPU != nil:
		rank = 100 * (x.CPU.Point + x.GC.Point)
	}
	if x.Run != "" {
		text += ". Next: " + clean(x.Run)
	}
	out := sarifResult{RuleID: sarifRules[rule].id, RuleIndex: rule, Level: sarifRules[rule].level, Message: sarifText{text},
		Locations: []sarifLocation{location(x.File, x.Line)}, Rank: min(100, max(0, rank))}
	out.Locations[0].Logical = []sarifName{{clean(x.Func), "function"}}
	for i, via := range x.Via {
		file, line := via, 1
		if k := strings.LastIndexByte(via, ':'); k > 0 {
			file = via[:k]
			_, _ = fmt.Sscan(via[k+1:], &line)
		}
		l := location(file, line)
		l.ID, l.Message = &i, &sarifText{"the call passes through here"}
		out.RelatedLocations = append(out.RelatedLocations, l)
	}
	// Lines move when a file is edited; function, call and type identify the finding.
	sum := sha256.Sum256([]byte(x.File + "\n" + x.Func + "\n" + x.Call + "\n" + x.Type))
	out.PartialFingerprints = map[string]string{fingerprint: hex.EncodeToString(sum[:16])}
	return out
}

func location(file string, line int) sarifLocation {
	var l sarifLocation
	l.PhysicalLocation.Artifact.URI = (&url.URL{Path: file}).EscapedPath()
	l.PhysicalLocation.Artifact.URIBaseID = "%SRCROOT%"
	l.PhysicalLocation.Region.StartLine = max(line, 1)
	return l
}
