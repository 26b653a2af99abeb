# bash completion of PROGRAM.

_PROGRAM_complete() {
	local cur=${COMP_WORDS[COMP_CWORD]} word name about
	COMPREPLY=()
	[ "$cur" != "=" ] || cur=
	while IFS=$'\t' read -r word about; do
		case $word in
		:files | :folders)
			! type compopt >/dev/null 2>&1 || compopt -o filenames
			local kind=-f
			[ "$word" = :files ] || kind=-d
			while IFS= read -r name; do
				COMPREPLY+=("$name")
			done < <(compgen $kind -- "$cur")
			;;
		*)
			[ "${word#-*=}" = "$word" ] || word=${word#*=} # readline completes what follows the =
			COMPREPLY+=("$word")
			;;
		esac
	done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _PROGRAM_complete PROGRAM
