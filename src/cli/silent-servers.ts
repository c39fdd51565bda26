export { silentServers } from '../engine/silent-servers.ts';
