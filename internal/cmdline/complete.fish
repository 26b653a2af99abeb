# fish completion of PROGRAM: a file PROGRAM.fish in ~/.config/fish/completions.

function __PROGRAM_complete
	set -l words (commandline --tokenize --cut-at-cursor --current-process)
	set -l current (commandline --cut-at-cursor --current-token)
	set -l program $words[1]
	set -e words[1]
	for line in ($program __complete $words $current 2>/dev/null)
		switch $line
			case :files
				__fish_complete_path $current
			case :folders
				__fish_complete_directories $current ''
			case '*'
				echo $line
		end
	end
end
complete --command PROGRAM --no-files --arguments '(__PROGRAM_complete)'
