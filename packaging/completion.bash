# SPDX-License-Identifier: Apache-2.0
# bash completion for spvreconv, spv-emu, spv-graph and spv-harness (one file under four names). Options, transforms
# and policies come from the tool's own --help.
# shellcheck shell=bash

# Options, with "=" after those that take a value.
_spvreconv_options() {
  "$1" --help 2>/dev/null | sed -n 's/^  \(-.*\)/\1/p' | sed 's/  .*//' | cut -c1-22 |
    grep -oE -- '--[a-z-]+=?|-o'
}

# The names listed below the line "$2:".
_spvreconv_names() {
  "$1" --help 2>/dev/null | sed -n "/^$2:\$/,/^\$/s/^  \([a-z-]*\) .*/\1/p"
}

# The commands of spv-harness; none of other tools.
_spvreconv_commands() {
  "$1" --help 2>/dev/null | sed -n 's/^Usage: /       /; s/^       spv-harness \([a-z-]*\).*/\1/p' | uniq
}

# The values of option $2 of tool $1; "@file", "@folder" and "@list" are not words but name the kind of
# value.
_spvreconv_values() {
  case $2 in
  --transform) echo @list && _spvreconv_names spvreconv Transforms ;;
  --policy) echo @list all && _spvreconv_names spv-emu Policies ;;
  --order) echo df dfpd dfpd-oldest bf bfpd bfpd-successor rpo domreg lrpo cdep ocelot best profile: ;;
  --priority) echo lrpo rpo ocelot profile: ;;
  --uniformity) echo analysis divergent uniform ;;
  --scope) echo subgroup workgroup ;;
  --validate) echo auto full none ;;
  --lowering) echo @list needed-skips flow-blocks branch-masks ;;
  --subgroup-size) echo workgroup ;;
  --stage) echo vert tesc tese geom frag comp rgen rint rahit rchit rmiss rcall task mesh cl ;;
  --buffers) echo auto given ;;
  --annotate) echo asm ;;
  --mode) echo maximal uniform none ;;
  --device) echo @list lavapipe swiftshader default emu pocl none auto icd= ;;
  --against) echo lavapipe swiftshader default emu pocl icd= ;;
  --target-env)
    echo vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3 spv1.0 spv1.1 spv1.2 spv1.3 spv1.4 \
      spv1.5 spv1.6 opencl1.2 opencl2.0 opencl2.1 opencl2.2
    ;;
  -o | --output | --report | --before | --after | --profile | --dump-cfg | --dump-wave | --wave | --results | \
    --reuse | --list | --junit)
    echo @file
    ;;
  --dump-open-tree | --artifacts | --write) echo @folder ;;
  esac
}

# _spvreconv_reply PREFIX CURRENT WORD…: the words that complete CURRENT, after PREFIX.
_spvreconv_reply() {
  local prefix=$1 current=$2
  shift 2
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$*" -- "$current")
  case ${COMPREPLY[0]-} in
  *=) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace 2>/dev/null ;;
  esac
}

_spvreconv_value() {
  local tool=$1 option=$2 current=$3 words prefix=
  words=$(_spvreconv_values "$tool" "$option")
  case $words in
  @file) mapfile -t COMPREPLY < <(compgen -f -- "$current") && compopt -o filenames 2>/dev/null ;;
  @folder) mapfile -t COMPREPLY < <(compgen -d -- "$current") && compopt -o filenames 2>/dev/null ;;
  @list*)
    # The names before the last "," or "+" are kept.
    case $current in
    *[,+]*) prefix=${current%"${current##*[,+]}"} ;;
    esac
    compopt -o nospace 2>/dev/null
    _spvreconv_reply "$prefix" "${current##*[,+]}" "${words#@list}"
    ;;
  ?*) _spvreconv_reply '' "$current" "$words" ;;
  esac
}

# _spvreconv COMMAND: for complete -F. "=" is a word of its own in COMP_WORDS.
_spvreconv() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i commands
  COMPREPLY=()
  if [ "$before" = = ]; then
    _spvreconv_value "$1" "${COMP_WORDS[COMP_CWORD - 2]}" "$current"
  elif [ "$current" = = ]; then
    _spvreconv_value "$1" "$before" ''
  elif [ "$before" = -o ]; then
    _spvreconv_value "$1" -o "$current"
  elif [[ $current = -* ]]; then
    # shellcheck disable=SC2046 # words on purpose
    _spvreconv_reply '' "$current" $(_spvreconv_options "$1")
  else
    commands=" $(_spvreconv_commands "$1" | tr '\n' ' ')"
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
    for ((i = 1; i < COMP_CWORD; i++)); do
      [[ $commands != *" ${COMP_WORDS[i]} "* ]] || return
    done
    # shellcheck disable=SC2086 # words on purpose
    [[ $commands = " " ]] || _spvreconv_reply '' "$current" $commands
  fi
}

complete -F _spvreconv spvreconv spv-emu spv-graph spv-harness
