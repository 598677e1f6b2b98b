# previct_unity(<target>)
#
# Compiles the files of a folder together, up to ten at a time, where PREVICT_UNITY is on: most of the time a file takes
# to compile goes into the headers that its neighbours read as well. Files of a folder must therefore not define the same
# name twice, not even in anonymous namespaces, which is a good habit anyway.
function(previct_unity target)
  if(NOT PREVICT_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/registry/")
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  list(SORT sources)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" name ${name})
    math(EXPR part "0${count_${name}} / 10")
    math(EXPR count_${name} "0${count_${name}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${part})
  endforeach()
endfunction()
