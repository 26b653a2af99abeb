package site

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// pictured is the run that README and the front page show.
const pictured = "docs/results/flat/run.json"

// ReportPNG and TerminalSVG are the files of the pictures.
const (
	ReportPNG   = "docs/pictures/report.png"
	TerminalSVG = "docs/pictures/terminal.svg"
)

// Pictures draws both pictures anew. It needs Chromium.
func Pictures(ctx context.Context, root string) error {
	r, err := readRun(root)
	if err != nil {
		return err
	}
	svg, err := Terminal(r)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(root, TerminalSVG), svg); err != nil {
		return err
	}
	return photograph(ctx, r, filepath.Join(root, ReportPNG))
}

func readRun(root string) (*run.Run, error) {
	data, err := os.ReadFile(filepath.Join(root, pictured))
	if err != nil {
		return nil, err
	}
	return report.ReadJSON(bytes.NewReader(data))
}

// photograph writes what a browser shows of the beginning of the report.
func photograph(ctx context.Context, r *run.Run, name string) error {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		return fmt.Errorf("site: the picture of the report needs chromium (Debian: apt install chromium): %w", err)
	}
	temp, err := os.MkdirTemp("", "zmy-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var page bytes.Buffer
	if err := report.HTML(&page, r); err != nil {
		return err
	}
	file := filepath.Join(temp, report.FileHTML)
	if err := write(file, page.Bytes()); err != nil {
		return err
	}
	// The sandbox does not work for root, and the page is our own.
	shot := filepath.Join(temp, "shot.png")
	if err := execute(ctx, temp, nil, browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--user-data-dir="+temp,
		"--window-size=1160,1420", "--screenshot="+shot, "file://"+filepath.ToSlash(file)); err != nil {
		return err
	}
	data, err := os.ReadFile(shot)
	if err != nil {
		return err
	}
	if data, err = shrink(data); err != nil {
		return err
	}
	return write(name, data)
}

// shrink returns the picture with its 256 most frequent colours only, in which the file has half the
// size. The others are shades at the edges of letters.
func shrink(data []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	pixels := map[color.Color]int{}
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			pixels[from.At(x, y)]++
		}
	}
	palette := slices.SortedFunc(maps.Keys(pixels), func(a, b color.Color) int { return pixels[b] - pixels[a] })
	to := image.NewPaletted(from.Bounds(), palette[:min(len(palette), 256)])
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			to.Set(x, y, from.At(x, y))
		}
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	err = e.Encode(&b, to)
	return b.Bytes(), err
}

// Geometry of a terminal's characters, in pixels.
const (
	cell, line, margin, fontSize = 8.0, 19.0, 22.0, 13.3
	columns                      = 100
	fonts                        = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
)

// colors are those of ANSI's numbers, on a dark background.
var colors = map[string]string{
	"31": "#ff8b80", "32": "#6fd3a0", "33": "#e8bd5a", "34": "#8fa2ff", "35": "#b491ea", "36": "#4fa8d8", "90": "#8a96a3",
}

// nextSteps begins the first of the next steps, which has a colour if there are two choices.
var nextSteps = regexp.MustCompile("\n(\x1b\\[[0-9;]*m)?  next ")

// Terminal returns what a terminal shows of the run up to its verdict, as SVG. Bars are rectangles,
// and each group of words has a place and a length of its own, so columns stay columns in any font.
func Terminal(r *run.Run) ([]byte, error) {
	var text bytes.Buffer
	if err := report.Table(&text, r, report.TableOptions{Width: columns, Color: true}); err != nil {
		return nil, err
	}
	shown := text.String()
	end := nextSteps.FindStringIndex(shown)
	if end == nil {
		return nil, fmt.Errorf("site: the run in %s has no next steps, before which the picture ends", pictured)
	}
	shown = shown[:end[0]]

	lines := append(prompt(r.Command), strings.Split(shown, "\n")...)
	width, height := 2*margin+columns*cell, 2*margin+float64(len(lines))*line
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]g %[2]g" width="%[1]g" height="%[2]g" role="img">`+"\n",
		width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape.Replace(strings.Join(r.Command, " ")))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="10" fill="#0e1217"/>`+"\n")
	fmt.Fprintf(&b, `<g fill="#e5eaf0" font-family="%s" font-size="%g">`+"\n", fonts, fontSize)
	for i, s := range lines {
		drawLine(&b, s, margin+float64(i)*line)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes(), nil
}

// prompt returns the lines in which a shell is given the command.
func prompt(command []string) (lines []string) {
	now := "\x1b[32m$\x1b[0m"
	length := 1
	for _, word := range command {
		if length+len(word)+3 > columns {
			lines, now, length = append(lines, now+" \\"), "   ", 3
		}
		now, length = now+" "+word, length+1+len(word)
	}
	return append(lines, now)
}

// drawLine draws a line with ANSI's marks; top is its upper edge.
func drawLine(b *bytes.Buffer, s string, top float64) {
	column, style := 0, ""
	for i, part := range strings.Split(s, "\x1b[") {
		if i > 0 {
			code, rest, _ := strings.Cut(part, "m")
			part, style = rest, attributes(code)
		}
		column = drawPart(b, part, style, column, top)
	}
}

// attributes returns the attributes of SVG for a mark.
func attributes(code string) string {
	if code == "1" {
		return ` font-weight="700"`
	}
	if c := colors[code]; c != "" {
		return ` fill="` + c + `"`
	}
	return ""
}

// drawPart draws text of one style from a column on, and returns the column behind it.
func drawPart(b *bytes.Buffer, part, style string, column int, top float64) int {
	place := func(c int) float64 { return margin + float64(c)*cell }
	for part != "" {
		blank := len(part) - len(strings.TrimLeft(part, " "))
		column, part = column+blank, part[blank:]
		group := part
		if at := strings.Index(part, "  "); at >= 0 {
			group = part[:at]
		}
		if bar := barOf(group); bar > 0 {
			fmt.Fprintf(b, `<rect x="%g" y="%g" width="%g" height="%g"%s/>`+"\n", place(column), top+4, bar*cell, line-7, style)
		} else if group != "" {
			words := strings.TrimRight(group, " ")
			fmt.Fprintf(b, `<text x="%g" y="%g" textLength="%g"%s>%s</text>`+"\n",
				place(column), top+line-5.5, float64(len([]rune(words)))*cell, style, escape.Replace(words))
		}
		column, part = column+len([]rune(group)), part[len(group):]
	}
	return column
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// barOf returns the length of a bar of block characters in columns, 0 if the text is no bar.
func barOf(text string) (length float64) {
	for _, c := range text {
		if c < '█' || c > '▏' {
			return 0
		}
		length += float64('▏'-c+1) / 8 // █ is eight eighths, ▏ one
	}
	return length
}
