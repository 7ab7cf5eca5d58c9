# Sourced as the .zshenv of a zsh in a Signalbox terminal: gives the user's own start-up files back, then puts marks around
# prompts, commands and their output. The nonce proves that a mark is ours; no child inherits it.

if [[ -n ${SIGNALBOX_ZDOTDIR-} ]]; then
  export ZDOTDIR=$SIGNALBOX_ZDOTDIR
else
  unset ZDOTDIR
fi
unset SIGNALBOX_ZDOTDIR

typeset -g __sb_nonce=
if [[ -n ${SIGNALBOX_NONCE_FILE-} ]]; then
  IFS= read -r __sb_nonce <"$SIGNALBOX_NONCE_FILE"
  unset SIGNALBOX_NONCE_FILE
fi
typeset -g +x __sb_nonce

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
  . "${ZDOTDIR:-$HOME}/.zshenv"
fi

# From here on: also for a nested shell, by `signalbox shell-init`.

# Into REPLY: backslash, semicolon and what would end or break a sequence become \\ and \xHH.
__sb_escape() {
  emulate -L zsh
  local s=${1[1,65536]} b='\'
  s=${s//$b/$b$b}
  s=${s//';'/${b}x3b}
  s=${s//$'\n'/${b}x0a}
  s=${s//$'\r'/${b}x0d}
  s=${s//$'\e'/${b}x1b}
  s=${s//$'\a'/${b}x07}
  s=${s//$'\x18'/${b}x18}
  s=${s//$'\x1a'/${b}x1a}
  REPLY=$s
}

__sb_preexec() {
  emulate -L zsh
  local REPLY
  __sb_escape "${1:-$3}"
  printf '\e]633;E;%s;%s\a\e]133;C;%s\a' "$REPLY" "$__sb_nonce" "$__sb_nonce" >/dev/tty
  typeset -g __sb_ran=1
}

__sb_precmd() {
  local code=$?
  emulate -L zsh
  local REPLY
  # Ours goes first, so that nothing has touched the exit code.
  precmd_functions=(__sb_precmd ${precmd_functions:#__sb_precmd})
  if [[ ${__sb_ran-} == 1 ]]; then
    printf '\e]133;D;%s;%s\a' "$code" "$__sb_nonce" >/dev/tty
    typeset -g __sb_ran=0
  fi
  # zsh marks an unfinished line before it calls us, which would be output of the command: it is done here instead, after it.
  if [[ ${__sb_marks_lines-} == 1 ]]; then
    local -i rest=$((COLUMNS > 1 ? COLUMNS - 1 : 0))
    print -nP -- "${PROMPT_EOL_MARK-%B%S%#%s%b}${(l:rest:: :)}"$'\r \r' >/dev/tty
  fi
  __sb_escape "$PWD"
  printf '\e]633;P;Cwd=%s;%s\a\e]133;A;%s\a' "$REPLY" "$__sb_nonce" "$__sb_nonce" >/dev/tty
  return $code
}

# Options are known only after the user's .zshrc.
__sb_begin() {
  precmd_functions=(${precmd_functions:#__sb_begin})
  typeset -g __sb_marks_lines=0
  if [[ -o prompt_sp ]]; then
    __sb_marks_lines=1
    unsetopt prompt_sp
  fi
}

if [[ -o interactive && -n $__sb_nonce ]]; then
  typeset -ga precmd_functions preexec_functions
  precmd_functions+=(__sb_begin __sb_precmd)
  preexec_functions+=(__sb_preexec)
fi
