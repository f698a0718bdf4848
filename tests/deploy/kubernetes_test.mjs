// deploy/kubernetes: every way to put it together is what Kubernetes takes, hangs together, and
// sets what terraned knows. TERRANED names the program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documents, rendered } from './kustomize.mjs';
import { mistakes } from './schemas.mjs';

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../deploy/kubernetes');
const terraned = process.env.TERRANED;
assert.ok(terraned, 'TERRANED names no program');

/** Base and all components, which no overlay has all of. */
await mkdir(path.resolve(here, '../../build'), { recursive: true });
const scratch = await mkdtemp(path.resolve(here, '../../build/kubernetes-'));
after(() => rm(scratch, { recursive: true }));
const up = path.relative(scratch, root);
const components = (await readdir(path.join(root, 'components'))).map((name) =>
  `${up}/components/${name}`);
await writeFile(path.join(scratch, 'kustomization.yaml'), JSON.stringify({ kind: 'Kustomization',
  apiVersion: 'kustomize.config.k8s.io/v1beta1', resources: [`${up}/base`], components }));

const ways = [scratch];
for (const name of await readdir(path.join(root, 'overlays'))) {
  ways.push(path.join(root, 'overlays', name));
}
const all = await Promise.all(ways.map((way) => rendered(way)));
// Before the first test: the runner does not wait for tests that come later, and cleans up.
const kubectl = await run('kubectl', ['version', '--client']).then(() => true, () => false);
const ofKind = (objects, ...kinds) => objects.filter(({ kind }) => kinds.includes(kind));
const podOf = (objects) => ofKind(objects, 'StatefulSet')[0].spec.template;
const settings = (objects) => ofKind(objects, 'ConfigMap')
  .find(({ metadata }) => metadata.name === 'terrane').data;

test('every object has what Kubernetes knows, and nothing else', () => {
  for (const objects of all) assert.deepEqual(mistakes(objects), []);
});

test('a field that Kubernetes does not know is seen', () => {
  const [service] = ofKind(all[0], 'Service');
  const odd = { ...service, spec: { ...service.spec, sessionAffinityy: 'None' } };
  assert.match(mistakes([odd])[0], /sessionAffinityy/);
  const bad = { ...service, spec: { ...service.spec, ports: [{ port: '4150' }] } };
  assert.match(mistakes([bad])[0], /not assignable/);
});

test('every file is part of something', async () => {
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'));
  for (const file of files) {
    const directory = file.parentPath ?? file.path;
    const [head] = await documents(path.join(directory, 'kustomization.yaml'));
    const named = [...(head.resources ?? []), ...(head.patches ?? []).map((patch) => patch.path)];
    assert.ok(file.name === 'kustomization.yaml' || named.includes(file.name), file.name);
  }
});

test('who is selected is there', () => {
  for (const objects of all) {
    const { labels } = podOf(objects).metadata;
    const [set] = ofKind(objects, 'StatefulSet');
    const constraints = set.spec.template.spec.topologySpreadConstraints;
    const selectors = [set.spec.selector.matchLabels,
      ...constraints.map(({ labelSelector }) => labelSelector.matchLabels),
      ...ofKind(objects, 'Service').map(({ spec }) => spec.selector),
      ...ofKind(objects, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      ...ofKind(objects, 'NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels)];
    for (const selector of selectors) {
      assert.ok(Object.keys(selector).length === 2);
      assert.deepEqual({ ...labels, ...selector }, labels);
    }
    const services = ofKind(objects, 'Service').map(({ metadata }) => metadata.name);
    assert.ok(services.includes(set.spec.serviceName));
  }
});

test('every port that is named is one of the container', () => {
  for (const objects of all) {
    const [container] = podOf(objects).spec.containers;
    const ports = container.ports.map(({ name }) => name);
    const asked = [
      ...ofKind(objects, 'Service').flatMap(({ spec }) => spec.ports.map((at) => at.targetPort)),
      ...ofKind(objects, 'NetworkPolicy').flatMap(({ spec }) =>
        spec.ingress.flatMap((rule) => rule.ports.map((at) => at.port))),
      ...['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) =>
        container[probe].httpGet.port)];
    for (const port of asked) assert.ok(ports.includes(port), port);
    assert.deepEqual(container.ports.map((at) => at.containerPort), [4150, 4151]);
  }
});

test('every volume is mounted, and every config map is made', () => {
  for (const objects of all) {
    const { containers: [container], volumes = [] } = podOf(objects).spec;
    const claims = ofKind(objects, 'StatefulSet')[0].spec.volumeClaimTemplates;
    const there = [...volumes.map(({ name }) => name), ...claims.map((one) => one.metadata.name)];
    assert.deepEqual(container.volumeMounts.map(({ name }) => name).sort(), there.sort());
    const maps = ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name);
    const asked = [...container.envFrom.map(({ configMapRef }) => configMapRef.name),
      ...volumes.flatMap(({ configMap }) => configMap?.name ?? [])];
    assert.deepEqual(asked.sort(), maps.sort());
  }
});

test('every file that a variable names lies in a volume', () => {
  for (const objects of all) {
    const mounts = podOf(objects).spec.containers[0].volumeMounts.map((at) => at.mountPath);
    const places = Object.entries(settings(objects)).filter(([, value]) => value.startsWith('/'));
    assert.ok(places.length > 0);
    for (const [variable, place] of places) {
      assert.ok(mounts.some((mount) => place.startsWith(`${mount}/`)), variable);
    }
  }
});

test('every variable is one of terraned', async () => {
  const { stdout } = await run(terraned, ['--help']);
  const known = new Set(stdout.match(/TERRANE_[A-Z_]+/g));
  for (const objects of all) {
    for (const variable of Object.keys(settings(objects))) assert.ok(known.has(variable), variable);
    assert.equal(podOf(objects).spec.enableServiceLinks, false);  // those would be variables, too
  }
});

test('the image is that of this version', async () => {
  const { stdout } = await run(terraned, ['--version']);
  const [version] = /\d+\.\d+\.\d+/.exec(stdout);
  for (const objects of all) {
    const images = podOf(objects).spec.containers.map(({ image }) => image);
    assert.deepEqual(images, [`terrane:${version}`]);
  }
});

test('the server is given no rights, and time to drain', () => {
  for (const objects of all) {
    const { spec } = podOf(objects);
    const [container] = spec.containers;
    assert.deepEqual(container.securityContext, { allowPrivilegeEscalation: false,
      privileged: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    assert.equal(spec.securityContext.runAsUser, 4150);
    assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
    const { TERRANE_DRAIN_TIMEOUT: drain, TERRANE_DRAIN_DELAY: delay } = settings(objects);
    assert.ok(Number(delay) > 0, 'those who are not told of its end in time would be refused');
    assert.ok(spec.terminationGracePeriodSeconds >= Number(drain) + Number(delay) + 10);
    assert.equal(container.resources.requests.memory, container.resources.limits.memory);
    const workers = settings(objects).TERRANE_WORKERS;
    assert.equal(container.resources.requests.cpu, workers);
  }
});

test('an overlay encrypts, or says that a proxy does', () => {
  for (const objects of all.slice(1)) {
    const { TERRANE_TLS_CERT: cert, TERRANE_INSECURE: insecure } = settings(objects);
    assert.ok(Boolean(cert) !== Boolean(insecure));
    const [container] = podOf(objects).spec.containers;
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      assert.equal(container[probe].httpGet.scheme, cert ? 'HTTPS' : undefined);
    }
  }
});

test('kubectl puts it together in the same way', { skip: !kubectl && 'no kubectl' }, async () => {
  for (const [index, way] of ways.entries()) {
    const { stdout } = await run('kubectl', ['kustomize', way]);
    const file = path.join(scratch, 'theirs.yaml');
    await writeFile(file, stdout.replaceAll(/(name: terrane)-[a-z0-9]{10}$/gm, '$1'));
    const theirs = await documents(file);
    const byName = (a, b) => (a.kind + a.metadata.name < b.kind + b.metadata.name ? -1 : 1);
    assert.deepEqual(theirs.sort(byName), [...all[index]].sort(byName));
  }
});
