# What is packed is one binary and files: no need to build the tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# `cpack`: a Debian package of the usual build, a .tar.gz of the static one.
set(CPACK_PACKAGE_VENDOR "previct maintainers")
set(CPACK_PACKAGE_CONTACT ${PREVICT_CONTACT})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/stage.cmake)
set(CPACK_CHECKSUM SHA256)
set(CPACK_THREADS 0)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_STRIP_FILES OFF)  # the linker has
  set(CPACK_CROSS_ZIG_LIB ${CROSS_ZIG_LIB})
  set(CPACK_CROSS_SOURCES ${CROSS_PREFIX}/../sources)
endif()

if(PREVICT_STATIC)
  set(CPACK_GENERATOR TGZ)
  string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
  set(architecture ${CMAKE_SYSTEM_PROCESSOR})
  if(architecture STREQUAL x86_64)
    set(architecture amd64)
  elseif(architecture STREQUAL aarch64)
    set(architecture arm64)
  endif()
  set(CPACK_PACKAGE_FILE_NAME previct-${PROJECT_VERSION}-${system}-${architecture})
else()
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SECTION admin)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "kubernetes-client | kubectl")
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
  set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"previct reads a dump of a cluster and reports which pods a scheduler would
evict for a pending pod, on which node, why, and until when all others are
safe. It follows kube-scheduler, Apache YuniKorn and the KAI Scheduler, and
also works as a plugin of kubectl.")
endif()
include(CPack)
