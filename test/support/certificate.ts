import { generateKeyPairSync, sign } from 'node:crypto';

/**
 * A self-signed certificate (X.509 v3, P-256, ECDSA with SHA-256) for one DNS name, valid from 2020 to 2099.
 * Written as DER here because node:crypto reads certificates but does not make them.
 */
export function selfSignedCertificate(dnsName: string): { key: string; certificate: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(
    der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(dnsName, 'ascii')))),
  );
  const validity = sequence(generalizedTime('20200101000000Z'), generalizedTime('20991231235959Z'));
  const alternativeNames = sequence(
    oid(0x55, 0x1d, 0x11),
    der(0x04, sequence(der(0x82, Buffer.from(dnsName, 'ascii')))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames)),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(
    body,
    algorithm,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
const generalizedTime = (text: string): Buffer => der(0x18, Buffer.from(text, 'ascii'));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}
