FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN pip install --no-cache-dir build hatchling && python -m build --wheel --no-isolation --outdir /dist .

FROM python:3.12-slim
RUN useradd --create-home --uid 1000 quadriga && mkdir /data && chown quadriga /data
COPY requirements.lock /tmp/requirements.lock
COPY --from=build /dist/*.whl /tmp/
# The locked versions, without the hashes that constraints do not take.
RUN sed -n 's/^\([A-Za-z0-9._-]*==[^ ;]*\).*/\1/p' /tmp/requirements.lock > /tmp/pins.txt && \
    pip install --no-cache-dir --constraint /tmp/pins.txt "$(ls /tmp/*.whl)[postgres]"
USER quadriga
ENV QUADRIGA_HOST=0.0.0.0 QUADRIGA_PORT=8000 QUADRIGA_DATABASE=/data/quadriga.sqlite QUADRIGA_CACHE=/data/cache
VOLUME /data
EXPOSE 8000
# Compiled rules belong to a processor's model: they are made at the first start and kept in /data.
HEALTHCHECK --start-period=300s CMD python -c "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/api/ready')"
CMD ["quadriga", "serve"]
