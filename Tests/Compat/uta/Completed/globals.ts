// What printed files use without importing it. They import the rest themselves, so this comes before them.
import { useNavigation } from '@react-navigation/native';
import { Alert, Button, Text, TextInput, View } from 'react-native';
import { BaseApiClient } from '@/core/shared/api/base';

Object.assign(globalThis, { Alert, BaseApiClient, Button, Text, TextInput, View, __DEV__: true, useNavigation });
