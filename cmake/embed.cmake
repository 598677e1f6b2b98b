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

# previct_rule_examples(<target>)
#
# The files of fixtures/lint/rules/ as lint::rule_examples(): lines of the bad manifest begin with a blank or a minus, those of
# the good one with a blank or a plus.
function(previct_rule_examples target)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fixtures/lint/rules/*.diff)
  list(SORT files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(path IN LISTS files)
    get_filename_component(rule ${path} NAME_WE)
    file(READ ${path} lines)
    set(bad "\n${lines}")
    string(REGEX REPLACE "\n\\+[^\n]*" "" bad "${bad}")
    string(REGEX REPLACE "\n[- ]" "\n" bad "${bad}")
    set(good "\n${lines}")
    string(REGEX REPLACE "\n-[^\n]*" "" good "${good}")
    string(REGEX REPLACE "\n[+ ]" "\n" good "${good}")
    string(SUBSTRING "${bad}" 1 -1 bad)
    string(SUBSTRING "${good}" 1 -1 good)
    string(APPEND entries "    {\"${rule}\", R\"previct(${bad})previct\", R\"previct(${good})previct\"},\n")
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/registry/rule_examples.cpp)
  file(CONFIGURE OUTPUT ${output} CONTENT
"// Generated from fixtures/lint/rules/.
#include \"lint/rule.h\"

namespace previct::lint {

auto rule_examples() -> const std::vector<RuleExamples>& {
  static const std::vector<RuleExamples> kAll = {
${entries}  };
  return kAll;
}

}  // namespace previct::lint
" @ONLY)
  target_sources(${target} PRIVATE ${output})
endfunction()

# previct_pages(<target>)
#
# Puts the pages of docs into the program, so that `previct mcp` shows those of its own version wherever it is installed.
# The program makes docs/rules.md and docs/words.md itself.
function(previct_pages target)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md)
  list(FILTER files EXCLUDE REGEX "/(rules|words|README)\\.md$")
  list(SORT files)
  list(APPEND files ${CMAKE_SOURCE_DIR}/README.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(path IN LISTS files)
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND entries "    {\"${name}\", R\"previct(${text})previct\"},\n")
  endforeach()
  # Not file(CONFIGURE), which would replace names between two @ in a page.
  set(output ${CMAKE_BINARY_DIR}/registry/pages.cpp)
  file(WRITE ${output}.new "// Generated from docs and README.md.
#include \"cli/mcp/pages.h\"

namespace previct::cli::mcp {

auto pages() -> const std::vector<DocumentationPage>& {
  static const std::vector<DocumentationPage> kPages = {
${entries}  };
  return kPages;
}

}  // namespace previct::cli::mcp
")
  file(COPY_FILE ${output}.new ${output} ONLY_IF_DIFFERENT)
  target_sources(${target} PRIVATE ${output})
endfunction()
