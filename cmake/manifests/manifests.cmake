# cmake -D FOLDER=build/packages -P cmake/manifests/manifests.cmake
#
# Writes, in FOLDER, what package managers know a release by, from the archives there: previct.yaml for krew, previct.rb for Homebrew,
# and previct.json for Scoop. Each target has an archive: linux-amd64, and the files in cmake/cross.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../project.cmake)
set(targets linux-amd64)
file(GLOB files RELATIVE ${CMAKE_CURRENT_LIST_DIR}/../cross ${CMAKE_CURRENT_LIST_DIR}/../cross/*-*.cmake)
list(REMOVE_ITEM files wasm32-wasi.cmake)
list(APPEND targets ${files})
list(SORT targets)

set(KREW_PLATFORMS "")
foreach(target IN LISTS targets)
  string(REGEX MATCH "^([a-z]+)-([a-z0-9]+)" matched ${target})
  string(REPLACE macos darwin os ${CMAKE_MATCH_1})
  set(architecture ${CMAKE_MATCH_2})
  set(program previct)
  set(ending tar.gz)
  if(os STREQUAL windows)
    set(program previct.exe)
    set(ending zip)
  endif()
  set(archive previct-${PREVICT_RELEASE}-${os}-${architecture}.${ending})
  if(NOT EXISTS ${FOLDER}/${archive})
    message(FATAL_ERROR "no ${archive} in ${FOLDER}")
  endif()
  file(SHA256 ${FOLDER}/${archive} sum)
  set(address ${PREVICT_HOMEPAGE}/releases/download/v${PREVICT_RELEASE}/${archive})
  string(APPEND KREW_PLATFORMS "  - selector:
      matchLabels:
        os: ${os}
        arch: ${architecture}
    uri: ${address}
    sha256: ${sum}
    bin: ${program}
    files:
    - from: previct-*/bin/${program}
      to: .
    - from: previct-*/LICENSE
      to: .
")
  # The names by which the other templates know it, such as ADDRESS_darwin_arm64.
  set(ADDRESS_${os}_${architecture} ${address})
  set(SUM_${os}_${architecture} ${sum})
endforeach()
foreach(manifest krew.yaml homebrew.rb scoop.json)
  get_filename_component(ending ${manifest} LAST_EXT)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${manifest}.in ${FOLDER}/previct${ending} @ONLY)
endforeach()
