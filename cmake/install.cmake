# What a package holds. `cmake --install` puts it below the prefix, DESTDIR before it.
include(GNUInstallDirs)

install(TARGETS previct RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# As a plugin of kubectl, and as what completes it there. An archive for Windows has no links.
set(links kubectl-previct kubectl_complete-previct)
if(WIN32)
  set(links "")
endif()
foreach(link IN LISTS links)
  install(CODE "
    set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${link}\")
    message(STATUS \"Installing: \${link}\")
    file(CREATE_LINK previct \"\${link}\" SYMBOLIC)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${link}\")")
endforeach()

install(FILES completions/previct.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME previct)
install(FILES completions/previct.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _previct)
install(FILES completions/previct.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

foreach(section 1 5 7)
  file(GLOB pages CONFIGURE_DEPENDS man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

file(GLOB schemas CONFIGURE_DEPENDS schema/*.json)
install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/previct/schema)

install(FILES README.md CHANGELOG.md SECURITY.md LICENSE ${CMAKE_BINARY_DIR}/previct.spdx.json
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
