# The page, built by Node.
FROM node:22.12.0-bookworm-slim AS page
WORKDIR /src
COPY web/package.json web/package-lock.json web/.npmrc* web/
RUN cd web && npm install --no-save --no-audit --no-fund
COPY web web
COPY docs/rules docs/rules
COPY src src
RUN cd web && npm run build

# The wheel, with the page in it.
FROM python:3.13.1-slim-bookworm AS wheel
WORKDIR /src
RUN pip install --no-cache-dir build==1.2.2 hatchling==1.27.0
COPY . .
COPY --from=page /src/src/quadriga/server/static src/quadriga/server/static
RUN python -m build --wheel --no-isolation --outdir /dist . && \
    python -m zipfile --list /dist/*.whl | grep -q quadriga/server/static/index.html

FROM python:3.13.1-slim-bookworm
RUN useradd --create-home --uid 1000 quadriga && mkdir --mode 700 /data && chown quadriga /data
COPY requirements.lock /tmp/requirements.lock
COPY --from=wheel /dist/*.whl /tmp/
# The locked versions; the hashes go, since pip takes none in constraints.
RUN sed -n 's/^\([A-Za-z0-9._-]*==[^ ;]*\).*/\1/p' /tmp/requirements.lock > /tmp/pins.txt && \
    pip install --no-cache-dir --constraint /tmp/pins.txt "$(ls /tmp/*.whl)[postgres]" && \
    rm /tmp/*.whl /tmp/requirements.lock /tmp/pins.txt
USER quadriga
ENV QUADRIGA_HOST=0.0.0.0 QUADRIGA_PORT=8000 QUADRIGA_DATABASE=/data/quadriga.sqlite QUADRIGA_CACHE=/data/cache
VOLUME /data
EXPOSE 8000
# Compiled rules depend on the processor's model, so they are compiled at the first start and kept in /data.
HEALTHCHECK --start-period=300s CMD python -c "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/api/ready')"
CMD ["quadriga", "serve"]
