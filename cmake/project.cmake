# Who and where previct is: the one place for its version, its address and its maintainers. What cannot include this
# file (README.md, docs/, action.yml) is compared with it by a test.
set(PREVICT_RELEASE 0.1.0)
set(PREVICT_HOMEPAGE https://github.com/previct/previct)
set(PREVICT_CONTACT "previct maintainers <maintainers@previct.invalid>")
