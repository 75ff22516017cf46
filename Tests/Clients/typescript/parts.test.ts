// Parts of the core, each against something independent of it.
import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { apiOf } from '../../../Shared/LatchkeyAuthTypeScript/core/client/configuration.js';
import { baseURL } from '../../../Shared/LatchkeyAuthTypeScript/core/http/baseURL.js';
import { itemText, parseItem } from '../../../Shared/LatchkeyAuthTypeScript/core/record/item.js';
import { renewalKey } from '../../../Shared/LatchkeyAuthTypeScript/core/record/record.js';
import { base64url, fromBase64url, utf8 } from '../../../Shared/LatchkeyAuthTypeScript/core/support/bytes.js';
import { makeClock } from '../../../Shared/LatchkeyAuthTypeScript/core/support/clock.js';
import { hmacSHA256, sha256 } from '../../../Shared/LatchkeyAuthTypeScript/core/support/sha256.js';

const hex = (bytes: number[]): string => Buffer.from(bytes).toString('hex');

test('SHA-256 and its HMAC are those of another implementation, for every length', () => {
  assert.equal(hex(sha256(utf8('abc'))), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  for (let length = 0; length < 300; length++) {
    const [message, key] = [randomBytes(length), randomBytes(length % 100)];
    assert.equal(hex(sha256([...message])), createHash('sha256').update(message).digest('hex'));
    assert.equal(hex(hmacSHA256([...message], [...key])), createHmac('sha256', key).update(message).digest('hex'));
  }
});

test('base64url and UTF-8 are those of another implementation', () => {
  for (let length = 0; length < 100; length++) {
    const bytes = randomBytes(length);
    const text = base64url(bytes);
    assert.equal(text, bytes.toString('base64url'));
    assert.deepEqual(fromBase64url(text), [...bytes]);
  }
  for (const text of ['', 'abc', 'é', '€', '😀', 'a\u{10ffff}', '\ud800']) assert.deepEqual(utf8(text), [...Buffer.from(text)]);
});

test('the items of every library and release are read, and written with the same members', () => {
  const folder = `${process.env.LATCHKEY_SUITE}/golden`;
  const names = readdirSync(folder);
  assert.ok(names.length >= 2);
  for (const name of names) {
    const text = readFileSync(`${folder}/${name}`, 'utf8').trim();
    const item = parseItem(text, 'https://api.example.com', false);
    assert.ok(item.is === 'record' || item.is === 'signedOut', name);
    assert.deepEqual(JSON.parse(itemText(item)), JSON.parse(text));
    if (item.is === 'record') assert.equal(renewalKey(item.record), 'YtLE9rDy1pGxOIduDXBZN1h38o6rZFdXz9CH7zvZKSg');
  }
});

test('an item whose secret is not 32 bytes in base64url is lost', () => {
  const text = readFileSync(`${process.env.LATCHKEY_SUITE}/golden/swift-0.7.0.json`, 'utf8');
  const right = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
  const kind = (secret: unknown) => parseItem(JSON.stringify({ ...JSON.parse(text), secret }), 'https://api.example.com', false).is;
  assert.equal(kind(right), 'record');
  const short = right.slice(1);
  for (const secret of ['', short, right + 'A', right + '=', right + '\n', short + '+', short + 'é', undefined, 7]) assert.equal(kind(secret), 'lost', String(secret));
});

test('an item too long leaves out what can be fetched again', () => {
  const text = readFileSync(`${process.env.LATCHKEY_SUITE}/golden/swift-0.7.0.json`, 'utf8');
  const item = parseItem(text, 'https://api.example.com', false);
  assert.ok(item.is === 'record');
  const user = { id: 'usr_1', name: 'x'.repeat(5000) };
  const short = JSON.parse(itemText({ ...item, record: { ...item.record, user } }));
  assert.deepEqual([short.user, typeof short.accessToken], [undefined, 'string']);
  const shorter = JSON.parse(itemText({ ...item, record: { ...item.record, accessToken: 'x'.repeat(5000) } }));
  assert.deepEqual([shorter.accessToken, typeof shorter.refreshToken], [undefined, 'string']);
});

test('the access token goes to the base URL\'s host and to named hosts, and a URL of two readings to none', () => {
  const api = baseURL('https://api.example.com/', ['media.example.com'], false);
  assert.equal(api.text, 'https://api.example.com');
  const good = ['https://api.example.com', 'https://API.example.com/x', 'https://api.example.com:443?x', 'https://media.example.com/x'];
  for (const url of good) assert.ok(api.mayKnowToken(url), url);
  const bad = [
    'http://api.example.com', 'https://api.example.com:8443', 'https://api.example.com.evil.test', 'https://evil.test/api.example.com',
    'https://api.example.com@evil.test', 'https://evil.test\\@api.example.com', 'https://api.example.com\\.evil.test',
    'https://api.example.com\t.evil.test', 'https:api.example.com', '//api.example.com', 'http://media.example.com', '', 'x',
  ];
  for (const url of bad) assert.ok(!api.mayKnowToken(url), url);
});

test('http is for loopback, and for private addresses where the app says so', () => {
  const isAllowed = (url: string, allows = false): boolean => baseURL(url, [], allows).isAllowed;
  for (const url of ['https://x.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:1']) assert.ok(isAllowed(url), url);
  for (const url of ['http://10.0.2.2', 'http://192.168.1.5', 'http://172.31.0.1']) {
    assert.deepEqual([isAllowed(url), isAllowed(url, true)], [false, true], url);
  }
  const never = [
    'http://x.example', 'http://172.32.0.1', 'http://11.0.0.1', 'http://127.0.0.1.evil.test', 'http://127.0.0.999',
    'http://010.0.0.1', 'http://10.0.0', 'http://10.0.0.0x1', 'ftp://x', '',
  ];
  for (const url of never) assert.ok(!isAllowed(url, true), url);
});

test('the response to a request that left before the app was frozen is not believed', async () => {
  let now = 0;
  const clock = { now: () => now, wall: () => now, after: () => () => {} };
  const frozenFor = (seconds: number) => apiOf({
    baseURL: 'https://api.example.com', clock,
    fetch: async () => {
      now += seconds;
      return { status: 200, headers: { get: () => null }, text: async () => '{}' };
    },
  }).send({ method: 'GET', path: '/users/me' });
  assert.equal((await frozenFor(20)).status, 200);
  await assert.rejects(frozenFor(21), { kind: 'timedOut' });
});

test('a clock counts sleep, and a date that is set moves it forward only', () => {
  let [steady, date] = [0, 1_000_000];
  const clock = makeClock(() => steady, () => date, () => () => {});
  steady += 5000;
  date += 5000;
  assert.equal(clock.now(), 5);
  date += 3_600_000; // The device sleeps for an hour.
  assert.equal(clock.now(), 3605);
  date -= 7_200_000; // The date is set back.
  steady += 1000;
  assert.equal(clock.now(), 3606);
  assert.equal(Math.round(clock.wall()), 1000 + 5 + 3600 - 7200);
});

test('no file of the library imports itself by way of others', () => {
  const library = resolve(process.env.LATCHKEY_SUITE as string, '../../Shared/LatchkeyAuthTypeScript');
  const imports = new Map<string, string[]>();
  for (const name of readdirSync(library, { recursive: true }).filter((name) => name.endsWith('.ts'))) {
    const file = join(library, name);
    const [text, needed] = [readFileSync(file, 'utf8'), /^(?:import|export) (?!type )[^;]*? from '(\.[^']*)\.js'/gm];
    imports.set(file, [...text.matchAll(needed)].map((match) => `${resolve(dirname(file), match[1])}.ts`));
  }
  const visit = (file: string, way: string[]): void => {
    assert.ok(!way.includes(file), [...way, file].join(' → '));
    for (const next of imports.get(file) || []) visit(next, [...way, file]);
  };
  assert.ok(imports.size > 25);
  for (const file of imports.keys()) visit(file, []);
});
