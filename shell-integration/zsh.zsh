# Sourced as the .zshenv of a zsh in a Signalbox terminal: gives the user's own start-up files back, then puts marks around
# prompts, commands and their output. The nonce proves that a mark is ours; its file is emptied at once, and no child inherits it.
# Each prompt names the nonce of the marks that follow it, so that one that leaked is soon worth nothing.

if [[ -n ${SIGNALBOX_ZDOTDIR-} ]]; then
  export ZDOTDIR=$SIGNALBOX_ZDOTDIR
else
  unset ZDOTDIR
fi
unset SIGNALBOX_ZDOTDIR

typeset -g __sb_nonce= __sb_rotates=
if [[ -n ${SIGNALBOX_NONCE_FILE-} ]]; then
  {
    IFS= read -r __sb_nonce
    IFS= read -r __sb_rotates
  } <"$SIGNALBOX_NONCE_FILE"
  : >|"$SIGNALBOX_NONCE_FILE"
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

# Into REPLY: a nonce from the system's random numbers; empty where there are none, and then the old one stays.
__sb_fresh() {
  emulate -L zsh
  local hex=$(command -p od -An -N16 -tx1 /dev/urandom 2>/dev/null)
  hex=${hex//[^0-9a-f]/}
  REPLY=
  (($#hex == 32)) && REPLY=sbnonce_$hex
}

# A trace of the user's (set -x) shows none of what we print.
__sb_preexec() {
  emulate -L zsh
  unsetopt xtrace
  local REPLY
  __sb_escape "${1:-$3}"
  printf '\e]633;E;%s;%s\a\e]133;C;%s\a' "$REPLY" "$__sb_nonce" "$__sb_nonce" >/dev/tty
  typeset -g __sb_ran=1
}

__sb_precmd() {
  local code=$?
  emulate -L zsh
  unsetopt xtrace
  local REPLY next=
  # Ours goes first, so that nothing has touched the exit code.
  precmd_functions=(__sb_precmd ${precmd_functions:#__sb_precmd})
  # Before the end of the command is told, so that the prompt follows it at once.
  if [[ -n ${__sb_rotates-} ]]; then
    __sb_fresh
    next=$REPLY
  fi
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
  printf '\e]633;P;Cwd=%s;%s\a\e]133;A%s;%s\a' "$REPLY" "$__sb_nonce" "${next:+;$next}" "$__sb_nonce" >/dev/tty
  [[ -n $next ]] && typeset -g +x __sb_nonce=$next
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
