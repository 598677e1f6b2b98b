# previct_unity(<target>)
#
# Compiles the files of a folder together, up to ten at a time, where PREVICT_UNITY is on: most of the time a file takes
# to compile goes into the headers that its neighbours read as well. Files of a folder must therefore not define the same
# name twice, not even in anonymous namespaces, which is a good habit anyway. Folders in which each file is a plugin that
# fills in the same few names are left alone.
function(previct_unity target)
  if(NOT PREVICT_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/(formats|commands|filters)/|/registry/")
  list(SORT sources)
  set(previous "")
  set(count 0)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder STREQUAL previous)
      set(count 0)
    endif()
    set(previous ${folder})
    math(EXPR part "${count} / 10")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" name ${name})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${part})
  endforeach()
endfunction()
