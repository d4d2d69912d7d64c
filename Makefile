# make        builds the host's wheel and packages, and shows the dispatcher choosing and how fast it runs
# make test   installs what the tests need and runs them
# make test-all   the long tests too
# make lint   the style of Python, C and shell

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find bin dispatch kernport native recipes wheels meson.build meson_options.txt pyproject.toml LICENSE README.md \
	tests/checkasm tests/rigs \
	-type f ! -path '*/__pycache__/*')
# The requirements of one of pyproject.toml's extras.
extra = $(shell $(PYTHON) -c "import tomllib; \
	print(*('\"%s\"' % each for each in tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$(1)']))")
PIP := pip --disable-pip-version-check --quiet

.PHONY: all show test test-all lint clean

all: build/packages.stamp show

show: build/demo.stamp
	build/demo/bin/kernport show
	@echo
	build/demo/bin/kernport bench --size 64 --size 16384 \
		--operation "aes-128-gcm seal" --operation gmac --operation md5

$(VENV)/build.stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m $(PIP) install $(call extra,build) cffi
	touch $@

$(VENV)/test.stamp: $(VENV)/build.stamp
	$(BIN)/python -m $(PIP) install $(call extra,peers) $(call extra,test) $(call extra,lint)
	touch $@

build/wheel.stamp: $(VENV)/build.stamp $(SOURCES)
	rm -f dist/kernport-*.whl
	$(BIN)/python -m kernport build wheel --out dist
	touch $@

build/packages.stamp: $(VENV)/build.stamp $(SOURCES)
	$(BIN)/python -m kernport build deb --out dist
	touch $@

# A second, clean environment with the wheel as a user gets it, and what it is compared with.
build/demo.stamp: build/wheel.stamp
	$(PYTHON) -m venv --clear build/demo
	build/demo/bin/python -m $(PIP) install dist/kernport-*-abi3-*.whl $(call extra,peers)
	touch $@

build/installed.stamp: build/wheel.stamp $(VENV)/test.stamp
	$(BIN)/python -m $(PIP) install --force-reinstall --no-deps dist/kernport-*-abi3-*.whl
	touch $@

test: build/installed.stamp lint
	tests/rigs/install.sh
	$(BIN)/pytest -n 2 --dist loadgroup -m "not long"

test-all: build/installed.stamp lint
	tests/rigs/install.sh
	$(BIN)/pytest -n 2 --dist loadgroup

lint: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	git ls-files '*.c' '*.h' ':!native/asm' ':!examples/*/native/asm/*' ':!native/*/*/*.h' | xargs $(BIN)/clang-format --dry-run --Werror
	git ls-files '*.sh' .ci/run | xargs $(BIN)/shellcheck

clean:
	rm -rf build dist
