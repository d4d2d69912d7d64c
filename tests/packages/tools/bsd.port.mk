# What the Porter's Handbook says of a port's variables, for want of the ports tree: which must be there, which
# words they may hold, and what follows from them. `make check` says what the port is.

.for variable in PORTNAME DISTVERSION CATEGORIES MASTER_SITES MAINTAINER COMMENT WWW LICENSE LICENSE_FILE USES
.if empty(${variable})
.error ${variable} is missing
.endif
.endfor

UNKNOWN=	${USES:C/:.*//:Ncompiler:Nmeson:Npkgconfig:Npython} ${USE_PYTHON:Nautoplist:Nconcurrent:Npep517}
.if !empty(UNKNOWN:M*)
.error USES or USE_PYTHON has an unknown word: ${UNKNOWN}
.endif
.if !empty(USE_PYTHON) && empty(USES:Mpython*)
.error USE_PYTHON without USES=python
.endif

.if empty(LICENSE:MBSD2CLAUSE)
.error LICENSE is unknown: ${LICENSE}
.endif

PY_FLAVOR=	py311
PYTHON_PKGNAMEPREFIX=	${PY_FLAVOR}-
# USES=python makes a port with flavours of one that pep517 builds.
.if !empty(USE_PYTHON:Mpep517)
FLAVORS=	py311
.endif
PREFIX=	/usr/local
WRKDIR=	${.CURDIR}/work
DISTNAME=	${PORTNAME}-${DISTVERSION}
EXTRACT_SUFX=	.tar.gz
DISTFILES=	${DISTNAME}${EXTRACT_SUFX}
WRKSRC=	${WRKDIR}/${DISTNAME}

MALFORMED=	${BUILD_DEPENDS:N*[<>=]*\:*/*} ${RUN_DEPENDS:N*[<>=]*\:*/*}
.if !empty(MALFORMED:M*)
.error dependency without version or port: ${MALFORMED}
.endif

.if empty(USE_PYTHON:Mautoplist) && !exists(${.CURDIR}/pkg-plist)
.error neither pkg-plist nor autoplist
.endif

check:
	@echo package ${PKGNAMEPREFIX}${PORTNAME}-${DISTVERSION}
	@echo files ${DISTFILES}
	@echo sites ${MASTER_SITES}
	@echo flavors ${FLAVORS}
	@echo build ${BUILD_DEPENDS:Q}
	@echo run ${RUN_DEPENDS:Q}
