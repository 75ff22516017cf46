#!/usr/bin/env python3
"""Makes CommonPasswordList.swift of the Python package zxcvbn 4.5.0 (MIT, see LICENSE.zxcvbn):

    python3 -m pip install --target DIR zxcvbn==4.5.0
    PYTHONPATH=DIR python3 generate.py > CommonPasswordList.swift
"""
from zxcvbn.frequency_lists import FREQUENCY_LISTS

words = sorted({word.lower() for word in FREQUENCY_LISTS["passwords"] if len(word) >= 8}, key=str.encode)
assert not any('"""#' in word or "\n" in word for word in words)
print("// Made by generate.py of zxcvbn 4.5.0 (MIT, LICENSE.zxcvbn): the frequent passwords of 8 characters and more.")
print("// swift-format-ignore-file")
print('package let commonPasswordList: String = #"""')
print("\n".join(words))
print('"""#')
