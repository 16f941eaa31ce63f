#!/usr/bin/env bash
# The environments in which `deeprepo eval patches` runs the tests of SWE-bench Lite's projects in pure Python, to the versions that
# the table in docs/localisation.md was measured with: scripts/swebench-venvs.sh DIR. It wants python3.9 and python3.11; what is
# there already is left as it is.
set -euo pipefail
dir=${1:?"usage: scripts/swebench-venvs.sh DIR"}
mkdir -p "$dir"

venv() { # NAME PYTHON PACKAGE...
  local to="$dir/$1" python="python$2"
  shift 2
  [ -e "$to/made" ] && return
  echo "$to"
  rm -rf "$to"
  "$python" -m venv "$to"
  "$to/bin/pip" install -q --disable-pip-version-check "$@"
  touch "$to/made"
}

venv mwaskom__seaborn 3.9 contourpy==1.3.0 cycler==0.12.1 exceptiongroup==1.3.2 fonttools==4.60.2 importlib_resources==6.5.2 \
  iniconfig==2.1.0 kiwisolver==1.4.7 matplotlib==3.7.2 numpy==1.25.2 packaging==26.3 pandas==2.0.0 pillow==11.3.0 pluggy==1.6.0 \
  pyparsing==3.0.9 pytest==7.4.4 python-dateutil==3.0.0 pytz==2026.6 scipy==1.13.1 six==1.17.0 tomli==2.5.0 \
  typing_extensions==4.16.0 tzdata==2026.6 zipp==3.23.1
venv pallets__flask@2.0 3.9 click==8.0.1 exceptiongroup==1.3.2 iniconfig==2.1.0 itsdangerous==2.1.2 Jinja2==3.0.1 \
  MarkupSafe==2.1.3 packaging==26.3 pluggy==1.6.0 pytest==7.4.4 tomli==2.5.0 typing_extensions==4.16.0 Werkzeug==2.3.7
venv pallets__flask@2.3 3.11 blinker==1.6.2 click==8.1.3 iniconfig==2.3.1 itsdangerous==2.1.2 Jinja2==3.1.2 MarkupSafe==2.1.3 \
  packaging==26.4 pluggy==1.7.0 pytest==7.4.4 Werkzeug==2.3.7
venv psf__requests 3.9 attrs==26.1.0 blinker==1.9.0 brotlipy==0.7.0 certifi==2026.10.19.post1 cffi==2.0.0 chardet==5.2.0 \
  click==8.1.8 decorator==5.3.1 Flask==2.0.3 httpbin==0.7.0 idna==3.20 iniconfig==2.1.0 itsdangerous==2.2.0 Jinja2==3.1.6 \
  MarkupSafe==3.0.4 packaging==26.3 pluggy==1.6.0 py==1.11.0 pycparser==2.23 pytest==6.2.5 pytest-httpbin==1.0.2 \
  pytest-mock==3.15.1 raven==6.10.0 six==1.17.0 toml==0.10.2 urllib3==1.26.18 Werkzeug==2.0.3
venv pydata__xarray 3.9 exceptiongroup==1.3.2 iniconfig==2.1.0 numpy==1.23.0 packaging==26.3 pandas==1.5.3 pluggy==1.6.0 \
  pytest==7.4.0 python-dateutil==3.0.0 pytz==2026.6 scipy==1.11.1 six==1.17.0 tomli==2.5.0 typing_extensions==4.16.0 \
  tzdata==2026.6
venv pylint-dev__pylint@2.13 3.9 astroid==2.11.6 dill==0.4.1 exceptiongroup==1.3.2 gitdb==4.0.12 GitPython==3.2.1 \
  importlib_metadata==8.7.1 iniconfig==2.1.0 isort==6.1.0 lazy-object-proxy==1.12.0 mccabe==0.7.0 packaging==26.3 \
  platformdirs==4.4.0 pluggy==1.6.0 py==1.11.0 py-cpuinfo==9.0.0 pytest==7.4.4 pytest-benchmark==5.0.1 smmap==5.0.3 toml==0.10.2 \
  tomli==2.5.0 typing_extensions==4.16.0 wrapt==1.17.3 zipp==3.23.1
venv pylint-dev__pylint@2.15 3.9 astroid==2.12.13 dill==0.4.1 exceptiongroup==1.3.2 gitdb==4.0.12 GitPython==3.2.1 \
  importlib_metadata==8.7.1 iniconfig==2.1.0 isort==6.1.0 lazy-object-proxy==1.12.0 mccabe==0.7.0 packaging==26.3 \
  platformdirs==4.4.0 pluggy==1.6.0 py==1.11.0 py-cpuinfo==9.0.0 pytest==7.4.4 pytest-benchmark==5.0.1 smmap==5.0.3 toml==0.10.2 \
  tomli==2.5.0 tomlkit==0.15.2 typing_extensions==4.16.0 wrapt==1.17.3 zipp==3.23.1
venv pytest-dev__pytest@4.4 3.9 atomicwrites==1.4.1 attrs==23.1.0 more-itertools==10.1.0 pluggy==0.11.0 py==1.11.0 \
  pytest==4.4.2 six==1.16.0
venv pytest-dev__pytest@4.5 3.9 atomicwrites==1.4.1 attrs==23.1.0 more-itertools==10.8.0 pluggy==0.11.0 py==1.11.0 \
  pytest==4.5.0 six==1.16.0 wcwidth==0.9.4
venv pytest-dev__pytest@4.6 3.9 atomicwrites==1.4.1 attrs==23.1.0 importlib_metadata==8.7.1 more-itertools==10.8.0 \
  packaging==26.3 pluggy==0.13.1 py==1.11.0 pytest==4.6.11 six==1.16.0 wcwidth==0.9.4 zipp==3.23.1
venv pytest-dev__pytest@5.2 3.9 atomicwrites==1.4.1 attrs==23.1.0 more-itertools==10.8.0 packaging==26.3 pluggy==0.13.1 \
  py==1.11.0 pytest==5.2.4 wcwidth==0.9.4
venv pytest-dev__pytest@5.4 3.9 attrs==23.1.0 elementpath==5.0.4 exceptiongroup==1.3.2 hypothesis==6.141.1 iniconfig==2.1.0 \
  more-itertools==10.8.0 packaging==26.3 pluggy==0.13.1 py==1.11.0 pytest==5.4.3 sortedcontainers==2.4.0 toml==0.10.2 \
  typing_extensions==4.16.0 wcwidth==0.9.4 xmlschema==4.2.0
venv pytest-dev__pytest@6.3 3.9 attrs==23.1.0 iniconfig==2.1.0 packaging==26.3 pluggy==0.13.1 py==1.11.0 pytest==6.2.5 \
  toml==0.10.2
venv pytest-dev__pytest@7.0 3.9 attrs==23.1.0 iniconfig==2.1.0 packaging==26.3 pluggy==1.6.0 py==1.11.0 pytest==7.0.1 \
  tomli==2.5.0
venv pytest-dev__pytest@8.0 3.9 attrs==23.1.0 exceptiongroup==1.3.2 iniconfig==2.1.0 packaging==26.3 pluggy==1.3.0 \
  pytest==7.4.4 tomli==2.5.0 typing_extensions==4.16.0
venv sphinx-doc__sphinx 3.9 alabaster==0.7.11 attrs==26.1.0 babel==2.19.0 certifi==2026.10.19.post1 charset-normalizer==3.5.3 \
  docutils==0.16 html5lib==1.1 idna==3.20 imagesize==1.5.0 iniconfig==2.1.0 Jinja2==3.0.3 MarkupSafe==2.0.1 packaging==26.3 \
  pluggy==1.6.0 py==1.11.0 Pygments==2.15.1 pytest==6.2.5 requests==2.32.5 six==1.17.0 snowballstemmer==3.1.1 \
  sphinxcontrib-applehelp==1.0.2 sphinxcontrib-devhelp==1.0.2 sphinxcontrib-htmlhelp==1.0.3 sphinxcontrib-jsmath==1.0.1 \
  sphinxcontrib-qthelp==1.0.3 sphinxcontrib-serializinghtml==1.1.4 toml==0.10.2 urllib3==2.6.3 webencodings==0.5.1
venv sphinx-doc__sphinx@5.0 3.9 alabaster==0.7.11 babel==2.19.0 certifi==2026.10.19.post1 charset-normalizer==3.5.3 \
  docutils==0.18.1 exceptiongroup==1.3.2 html5lib==1.1 idna==3.20 imagesize==1.5.0 importlib_metadata==8.7.1 iniconfig==2.1.0 \
  Jinja2==3.0.3 MarkupSafe==2.0.1 packaging==26.3 pluggy==1.6.0 Pygments==2.15.1 pytest==7.4.4 requests==2.32.5 six==1.17.0 \
  snowballstemmer==3.1.1 sphinxcontrib-applehelp==1.0.2 sphinxcontrib-devhelp==1.0.2 sphinxcontrib-htmlhelp==2.0.0 \
  sphinxcontrib-jsmath==1.0.1 sphinxcontrib-qthelp==1.0.3 sphinxcontrib-serializinghtml==1.1.5 tomli==2.5.0 \
  typing_extensions==4.16.0 urllib3==2.6.3 webencodings==0.5.1 zipp==3.23.1
venv sphinx-doc__sphinx@7.1 3.9 alabaster==0.7.13 babel==2.19.0 certifi==2026.10.19.post1 charset-normalizer==3.5.3 \
  docutils==0.20.1 exceptiongroup==1.3.2 filelock==3.19.1 html5lib==1.1 idna==3.20 imagesize==1.5.0 importlib_metadata==8.7.1 \
  iniconfig==2.1.0 Jinja2==3.1.6 MarkupSafe==3.0.4 packaging==26.3 pluggy==1.6.0 Pygments==2.16.1 pytest==7.4.4 requests==2.32.5 \
  six==1.17.0 snowballstemmer==3.1.1 sphinxcontrib-applehelp==1.0.4 sphinxcontrib-devhelp==1.0.2 sphinxcontrib-htmlhelp==2.0.1 \
  sphinxcontrib-jsmath==1.0.1 sphinxcontrib-qthelp==1.0.3 sphinxcontrib-serializinghtml==1.1.5 tomli==2.5.0 \
  typing_extensions==4.16.0 urllib3==2.6.3 webencodings==0.5.1 zipp==3.23.1
venv sympy__sympy 3.9 exceptiongroup==1.3.2 iniconfig==2.1.0 mpmath==1.3.0 packaging==26.3 pluggy==1.6.0 py==1.11.0 \
  pytest==7.4.4 tomli==2.5.0 typing_extensions==4.16.0

# What building pytest would add to its checkouts.
for made in 4.4=4.4.2 4.5=4.5.0 4.6=4.6.11 5.2=5.2.4 5.4=5.4.3 6.3=6.2.5 7.0=7.0.1 8.0=8.0.0.dev0; do
  built="$dir/pytest-dev__pytest@${made%=*}/built/src/_pytest"
  version=${made#*=}
  mkdir -p "$built"
  printf 'version = "%s"\nversion_tuple = (%s)\n' "$version" "$(cut -d. -f1-3 <<<"$version" | tr . ,)" >"$built/_version.py"
done
