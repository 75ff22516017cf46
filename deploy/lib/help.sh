# Prints the comment at the head of the script that sources this, and exits, if one of the script's arguments asks for help.
# Sourced before anything else; a script that passes its arguments on sets FIRST_ONLY=1.

print_head() { sed -n '2,${/^#/!q; s/^# \{0,1\}//p}' "$0"; }
for help_argument in "${@:1:${FIRST_ONLY:-$#}}"; do
    case $help_argument in -h | --help) print_head; exit 0 ;; esac
done
unset help_argument
