export { silentServers } from '../core/silent-servers.ts';
