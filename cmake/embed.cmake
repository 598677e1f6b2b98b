# previct_completion_scripts(<target>)
#
# The files of completions/ as cli::completion_scripts(), so that `previct completion SHELL` prints what is installed.
function(previct_completion_scripts target)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/completions/previct.*)
  list(SORT files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(path IN LISTS files)
    get_filename_component(shell ${path} LAST_EXT)
    string(SUBSTRING ${shell} 1 -1 shell)
    file(READ ${path} text)
    string(APPEND entries "    {\"${shell}\", R\"previct(${text})previct\"},\n")
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/registry/completion_scripts.cpp)
  file(CONFIGURE OUTPUT ${output} CONTENT
"// Generated from completions/.
#include \"cli/completion_scripts.h\"

namespace previct::cli {

auto completion_scripts() -> const std::vector<CompletionScript>& {
  static const std::vector<CompletionScript> kAll = {
${entries}  };
  return kAll;
}

}  // namespace previct::cli
" @ONLY)
  target_sources(${target} PRIVATE ${output})
endfunction()
