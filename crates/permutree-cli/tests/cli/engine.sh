# An engine of the Go Text Protocol that fails in the way its first argument says. It writes its process id to the
# file that is its second argument.
echo $$ >> "$2"
while read -r command rest; do
    case "$1:$command" in
    crash:genmove) echo "out of memory" >&2; exit 3 ;;
    hang:genmove) exec sleep 600 ;;
    babble:genmove) exec yes '= A1' ;;
    lie:genmove) printf '= Z99\n\n' ;;
    refuse:genmove) printf '? no idea\n\n' ;;
    resign:genmove) printf '= resign\n\n' ;;
    deaf:play) printf '? illegal move\n\n' ;;
    small:boardsize) printf '? unacceptable size\n\n' ;;
    *:quit) exit 0 ;;
    *) printf 'noise\n=\n\n' ;;
    esac
done
