# previct_registry(<target> <folder> <pattern> <type> <header> <namespace> <function> <suffix>)
#
# Finds features by their files: each file of <folder> that matches <pattern> defines an object
# `extern const <type> <name><suffix>`, and `<namespace>::<function>()` lists them all, sorted by file name. There are no
# static constructors and no list to keep: a new file is enough.
function(previct_registry target folder pattern type header namespace function suffix)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/${pattern})
  list(REMOVE_ITEM files ${LEFT_OUT})
  list(SORT files)
  set(declarations "")
  set(entries "")
  foreach(path IN LISTS files)
    get_filename_component(name ${path} NAME_WE)
    if(pattern MATCHES "/")
      get_filename_component(directory ${path} DIRECTORY)
      get_filename_component(name ${directory} NAME)
    endif()
    string(APPEND declarations "extern const ${type}& ${name}${suffix};\n")
    string(APPEND entries "    &${name}${suffix},\n")
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/registry/${function}.cpp)
  file(CONFIGURE OUTPUT ${output} CONTENT
"// Generated from the files of ${folder}.
#include \"${header}\"

namespace ${namespace} {

${declarations}
auto ${function}() -> const std::vector<const ${type}*>& {
  static const std::vector<const ${type}*> kAll = {
${entries}  };
  return kAll;
}

}  // namespace ${namespace}
" @ONLY)
  target_sources(${target} PRIVATE ${output})
endfunction()

# previct_rows(<target> <folder> <pattern> <output>)
#
# Includes the matching files of a folder in <output> below `registry`, sorted by name.
function(previct_rows target folder pattern output)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/${pattern})
  list(SORT files)
  set(lines "")
  foreach(path IN LISTS files)
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${path})
    string(APPEND lines "#include \"${name}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/registry/${output} CONTENT "// Generated from the files of ${folder}.\n${lines}" @ONLY)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR})
endfunction()
