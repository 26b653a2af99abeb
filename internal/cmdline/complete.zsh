#compdef PROGRAM
# zsh completion of PROGRAM: a file _PROGRAM in a folder of $fpath.

_PROGRAM() {
	local word about names
	local -a list
	while IFS=$'\t' read -r word about; do
		case $word in
		:files | :folders) names=$word ;;
		*) list+=("${word//:/\\:}${about:+:$about}") ;;
		esac
	done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
	(( $#list )) && _describe PROGRAM list
	[[ -z $names ]] && return
	compset -P '-*='
	if [[ $names = :folders ]]; then _files -/; else _files; fi
}

if [[ "${funcstack[1]}" = _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
