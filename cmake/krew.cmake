# cmake -D FOLDER=build/packages -P cmake/krew.cmake
#
# Writes FOLDER/previct.yaml, krew's manifest of this release: one platform for each static archive in FOLDER.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
configure_file(${CMAKE_CURRENT_LIST_DIR}/krew.yaml.in ${FOLDER}/previct.yaml @ONLY)
set(found FALSE)
foreach(architecture amd64 arm64)
  set(archive previct-${PREVICT_RELEASE}-linux-${architecture}.tar.gz)
  if(NOT EXISTS ${FOLDER}/${archive})
    continue()
  endif()
  set(found TRUE)
  file(SHA256 ${FOLDER}/${archive} sum)
  file(APPEND ${FOLDER}/previct.yaml "  - selector:
      matchLabels:
        os: linux
        arch: ${architecture}
    uri: ${PREVICT_HOMEPAGE}/releases/download/v${PREVICT_RELEASE}/${archive}
    sha256: ${sum}
    bin: previct
    files:
    - from: previct-*/bin/previct
      to: .
    - from: previct-*/LICENSE
      to: .
")
endforeach()
if(NOT found)
  message(FATAL_ERROR "no previct-${PREVICT_RELEASE}-linux-*.tar.gz in ${FOLDER}")
endif()
