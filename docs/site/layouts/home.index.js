{{- /* What the search reads: a list of sections: title of the page, heading, address, text. */ -}}
{{- $all := slice -}}
{{- range where site.RegularPages "Layout" "" -}}
  {{- $page := . -}}{{- $title := partial "title.html" . -}}
  {{- $figures := strings.HasSuffix (partial "file.html" .) "/report.md" -}}
  {{- range $i, $part := split .Content "<h2 id=\"" -}}
    {{- $anchor := "" -}}{{- $heading := "" -}}
    {{- if $i -}}
      {{- $anchor = printf "#%s" (index (split $part "\"") 0) -}}
      {{- $heading = replaceRE `(?s)^[^>]*>(.*?)</h2>.*` "$1" $part | plainify | htmlUnescape | strings.TrimSuffix "#" -}}
      {{- $part = replaceRE `(?s)^.*?</h2>` "" $part -}}
    {{- else -}}
      {{- $part = replaceRE `(?s)^.*?</h1>` "" $part -}}
    {{- end -}}
    {{- $text := "" -}}
    {{- if not $figures -}}{{- $text = replaceRE `\s+` " " (replaceRE `</(td|th|p|li|pre|h3|h4)>` " $0" $part | plainify | htmlUnescape) | strings.TrimSpace -}}{{- end -}}
    {{- if or $text $heading (not $i) -}}
      {{- $all = $all | append (slice (dict "t" $title "h" $heading "a" (printf "%s%s" (strings.TrimPrefix "/" $page.RelPermalink) $anchor) "x" $text)) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
window.zmyIndex = {{ $all | jsonify }};
