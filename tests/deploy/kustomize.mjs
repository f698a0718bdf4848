// As much of kustomize as deploy/kubernetes uses, so that its tests need no cluster's tools; where
// kubectl is at hand, a test compares what both make of it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const fields = {
  Kustomization: ['apiVersion', 'kind', 'resources', 'components', 'configMapGenerator', 'images'],
  Component: ['apiVersion', 'kind', 'configMapGenerator', 'patches'],
};

/**
 * @param {string} file
 * @returns {Promise<object[]>} its documents; throws where one is no YAML, or has a key twice
 */
export async function documents(file) {
  return parseAllDocuments(await readFile(file, 'utf8'), { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0].message}`);
    return document.toJS();
  });
}

async function kustomization(directory) {
  const [read] = await documents(path.join(directory, 'kustomization.yaml'));
  const known = fields[read.kind] ?? [];
  const unknown = Object.keys(read).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`${directory}: ${unknown} is not among what is tested`);
  return read;
}

/** Which member tells the items of a list apart when lists are merged. */
function keyOf(items) {
  return ['mountPath', 'name'].find((key) => items.every((item) => item?.[key] !== undefined));
}

/** A strategic merge: objects by member, lists by the key of their items, all else replaced. */
function merged(base, patch) {
  if (Array.isArray(base) && Array.isArray(patch)) {
    const key = keyOf([...base, ...patch]);
    if (!key) return patch;
    const rest = base.filter((item) => !patch.some((other) => other[key] === item[key]));
    const changed = patch.map((item) => {
      const old = base.find((other) => other[key] === item[key]);
      return old ? merged(old, item) : item;
    });
    return [...changed, ...rest];
  }
  if (!(base && patch && typeof base === 'object' && typeof patch === 'object')) return patch;
  const result = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    result[name] = name in base ? merged(base[name], value) : value;
  }
  return result;
}

const identity = ({ kind, metadata }) => `${kind}/${metadata.name}`;

async function generated(directory, { name, literals = [], files = [], options = {} }) {
  const data = Object.fromEntries(literals.map((text) => text.split(/=(.*)/s).slice(0, 2)));
  for (const file of files) data[file] = await readFile(path.join(directory, file), 'utf8');
  const metadata = { name, ...(options.labels ? { labels: options.labels } : {}) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

async function addConfigMaps(directory, generators, objects) {
  for (const generator of generators ?? []) {
    const map = await generated(directory, generator);
    const old = objects.find((object) => identity(object) === identity(map));
    if ((generator.behavior === 'merge') !== Boolean(old)) {
      throw new Error(`${directory}: ${map.metadata.name} is made twice, or merged with nothing`);
    }
    if (old) Object.assign(old.data, map.data);
    else objects.push(map);
  }
}

async function applyPatches(directory, patches, objects) {
  for (const { path: file } of patches ?? []) {
    for (const patch of await documents(path.join(directory, file))) {
      const at = objects.findIndex((object) => identity(object) === identity(patch));
      if (at < 0) throw new Error(`${directory}/${file}: there is no ${identity(patch)}`);
      objects[at] = merged(objects[at], patch);
    }
  }
}

function setImages(images, objects) {
  for (const { name, newTag } of images ?? []) {
    for (const object of objects) {
      for (const container of object.spec?.template?.spec?.containers ?? []) {
        if (container.image === name) container.image = `${name}:${newTag}`;
      }
    }
  }
}

/**
 * @param {string} directory  of a kustomization
 * @param {object[]} [objects]  what components are applied to
 * @returns {Promise<object[]>} its objects, without hashes in names
 */
export async function rendered(directory, objects = []) {
  const { resources, components, configMapGenerator, patches, images } =
    await kustomization(directory);
  for (const resource of resources ?? []) {
    const at = path.join(directory, resource);
    objects.push(...(await (resource.endsWith('.yaml') ? documents(at) : rendered(at))));
  }
  for (const component of components ?? []) {
    await rendered(path.join(directory, component), objects);
  }
  await addConfigMaps(directory, configMapGenerator, objects);
  await applyPatches(directory, patches, objects);
  setImages(images, objects);
  return objects;
}
