// Runs the printed code against a Latchkey with the policy uta: API_BASE_URL=GATEWAY node main.js INBOX life|expiry.
import './network';
import '@/app';
import { deletionStatements, passwordStatements, profileStatements } from './account';
import { expiryStatements } from './expiry';
import { somebody } from './person';
import { appStatements, loginScreenStatements, profileScreenStatements, storageStatements } from './screens';
import { breachStatements, logoutStatements, refreshStatements } from './session';
import { clientStatements, loginStatements, registrationStatements } from './signIn';
import { statement } from './statements';

async function life() {
  const person = somebody();
  await registrationStatements(person);
  await loginStatements(person);
  await clientStatements(person);
  await profileStatements(person);
  await refreshStatements();
  await passwordStatements(person);
  await loginScreenStatements(person);
  await profileScreenStatements(person);
  await appStatements(person);
  await logoutStatements(person);
  await breachStatements(person);
  await storageStatements();
  await deletionStatements(person);
}

const run = process.argv[3] === 'expiry' ? expiryStatements : life;
run().then(
  () => process.exit(0),
  (error) => statement('T31', 'the run goes to its end', async () => {
    throw error;
  }));
